#include <assert.h>
#include <pthread.h>
#include <time.h>

static struct timespec first, second;

static void *look(void *where)
{
    clock_gettime(CLOCK_MONOTONIC, where);
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, look, &first);
    pthread_create(&threads[1], 0, look, &second);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(first.tv_nsec < second.tv_nsec);
    return 0;
}
