/* What unpick.h asserts counts, also where there is no program to run. */
#include <pthread.h>
#include <unpick.h>

static long sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg) {
    pthread_mutex_lock(&lock);
    sum += sizeof(long);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    R_assert(sum == 8);
    return 0;
}
