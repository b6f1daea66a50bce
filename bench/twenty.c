/* Three threads and twenty visible events: what a run costs. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    if (count < 2)
        count++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return count == 2 ? 0 : 1;
}
