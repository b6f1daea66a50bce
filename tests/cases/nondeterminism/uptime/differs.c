#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int shared;

static void *worker(void *arg) {
    shared++;
    return arg;
}

int main(void) {
    pthread_t thread;
    int seen = 0; char text[64] = ""; FILE *file = fopen("/proc/uptime", "r"); fgets(text, sizeof text, file); fclose(file); struct timespec now; syscall(SYS_clock_gettime, 1, &now); for (char *c = text; *c; c++) seen = seen * 31 + *c; seen ^= now.tv_nsec;
    pthread_create(&thread, NULL, worker, NULL);
    shared += seen;
    pthread_join(thread, NULL);
    assert(shared == seen + 1);
    return 0;
}
