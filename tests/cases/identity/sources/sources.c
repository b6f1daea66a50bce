/* What it prints depends on every source of random numbers that there is: the replay compares it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int shared;

static void *worker(void *arg) {
    uint32_t word;
    getrandom(&word, sizeof word, 0);
    printf("worker %u %d\n", word, gettid());
    shared++;
    return arg;
}

int main(void) {
    uint64_t word;
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    getentropy(&word, sizeof word);
    printf("%lu %u %u\n", word, arc4random(), arc4random_uniform(1000));
    int file = open("/dev/urandom", O_RDONLY);
    read(file, &word, sizeof word);
    close(file);
    FILE *stream = fopen("/dev/urandom", "r");
    uint64_t other;
    if (fread(&other, sizeof other, 1, stream) != 1)
        return 2;
    fclose(stream);
    srand(time(0) ^ getpid());
    printf("%lu %lu %d %d %d %ld\n", word, other, rand(), getpid(), getppid(), syscall(SYS_gettid));
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    if (shared != 2)
        abort();
    return 0;
}
