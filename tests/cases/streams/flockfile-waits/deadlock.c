#include <pthread.h>
#include <stdio.h>

/* Both take the mutex first. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *report(void *unused)
{
    pthread_mutex_lock(&mutex);
    flockfile(stdout);
    puts("report");
    funlockfile(stdout);
    pthread_mutex_unlock(&mutex);
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
