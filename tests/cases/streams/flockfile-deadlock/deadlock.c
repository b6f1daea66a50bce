#include <pthread.h>
#include <stdio.h>

/* One has the stream and wants the mutex; the other has the mutex and prints. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *report(void *unused)
{
    flockfile(stdout);
    pthread_mutex_lock(&mutex);
    puts("report");
    pthread_mutex_unlock(&mutex);
    funlockfile(stdout);
    return unused;
}

int main(void)
{
    pthread_t reporter;
    pthread_create(&reporter, 0, report, 0);
    pthread_mutex_lock(&mutex);
    puts("main");
    pthread_mutex_unlock(&mutex);
    pthread_join(reporter, 0);
    return 0;
}
