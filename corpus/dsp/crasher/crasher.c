// A handle is looked at twice; somebody else drops it in between.
#include <pthread.h>
#include <stdlib.h>

#ifndef ROUNDS
#define ROUNDS 3
#endif

struct connection {
    int requests;
};

static struct connection *current;
static int served;

static void *serve(void *arg) {
    for (int i = 0; i < ROUNDS; i++) {
        if (current) {
            current->requests = i;
            served = served + 1;
        }
    }
    return arg;
}

static void *drop(void *arg) {
    current = NULL;
    return arg;
}

int main(void) {
    pthread_t server, dropper;
    current = malloc(sizeof *current);
    current->requests = 0;
    pthread_create(&server, NULL, serve, NULL);
    pthread_create(&dropper, NULL, drop, NULL);
    pthread_join(server, NULL);
    pthread_join(dropper, NULL);
    return 0;
}
