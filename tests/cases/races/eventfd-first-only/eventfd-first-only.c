#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int counter, parts[2];

static void *part(void *arg) {
    int *mine = arg;
    *mine = 1;
    return eventfd_write(counter, 1) == 0 ? arg : 0;
}

static void *collect(void *arg) {
    eventfd_t sum;
    if (eventfd_read(counter, &sum))
        return 0;
    int both = parts[0];
    both += parts[1];
    return both == 2 ? arg : 0;
}

int main(void) {
    counter = eventfd(0, EFD_SEMAPHORE);
    pthread_t threads[3];
    pthread_create(&threads[0], 0, part, &parts[0]);
    pthread_create(&threads[1], 0, part, &parts[1]);
    pthread_create(&threads[2], 0, collect, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
