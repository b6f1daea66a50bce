/* Two threads with a few hundred visible events each: more schedules than anybody can run. */
#include <pthread.h>
#include <stddef.h>

static int data[4];

static void *worker(void *arg) {
    for (int round = 0; round < 50; round++)
        for (int i = 0; i < 4; i++)
            data[i] += round;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
