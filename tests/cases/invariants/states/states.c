/* A door: an enumeration, a pointer that follows it, an array that stays sorted, a counter that is even outside. */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum state { CLOSED, OPEN };
static enum state door = CLOSED;
static int visits[3] = {1, 5, 9};
static int *busiest = &visits[2];
static unsigned steps;
static bool warm;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void pass(void) {
    door = door == CLOSED ? OPEN : CLOSED;
    warm = door == CLOSED;
    visits[2] += 3;
    visits[1] += 1;
    steps += 2;
}

static void *guest(void *arg) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        pass();
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, guest, NULL);
    pthread_create(&b, NULL, guest, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return *busiest < visits[1] || visits[0] != 1 || steps != 12;
}
