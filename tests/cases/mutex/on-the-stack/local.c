/* A mutex that is a local variable: destroyed at the end of each call, new in the next, at the same place.
 * Nothing is wrong with that. */
#include <pthread.h>

static void use(void) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_destroy(&m);
}

int main(void) {
    use();
    use();
    return 0;
}
