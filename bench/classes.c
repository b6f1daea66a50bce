/* As twenty.c, three threads and twenty visible events, but nearly all of them on one object: what
 * a run costs where the order matters everywhere, so that there are thousands of classes. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int count;

static void *worker(void *arg) {
    for (int i = 0; i < 4; i++)
        count++;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        count++;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return count == 11 ? 0 : 1;
}
