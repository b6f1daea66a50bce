/* Two threads count, a third reports the sum when both are done: it is started too early. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *count(void *arg) {
    sum++;
    return arg;
}

static void *report(void *arg) {
    assert(sum == 2);
    return arg;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, NULL, count, NULL);
    pthread_create(&two, NULL, count, NULL);
    pthread_create(&three, NULL, report, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_join(three, NULL);
    return 0;
}
