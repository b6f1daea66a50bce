#include <pthread.h>

/* Written before anybody knows that it is shared, and after the thread was created. */
static int late;

static void *reader(void *arg)
{
    return (void *)(long)(late + *(int *)arg);
}

int main(void)
{
    pthread_t thread;
    int one = 1;
    pthread_create(&thread, 0, reader, &one);
    late = 1;
    pthread_join(thread, 0);
    return 0;
}
