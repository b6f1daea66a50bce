#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static char log_line[8];

static void *compute(void *arg) {
    log_line[0] = 'a';
    return log_line;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, compute, 0);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    void *line = 0;
    if (pthread_timedjoin_np(one, &line, &until) != 0)
        pthread_join(one, &line);
    return *(char *)line != 'a';
}
