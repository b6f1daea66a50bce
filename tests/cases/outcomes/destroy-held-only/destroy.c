/* A mutex is destroyed by the thread that holds it.
 * Every run fails, at the destroy. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_destroy(&m);
    return 0;
}
