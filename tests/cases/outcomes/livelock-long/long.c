/* A long loop that visibly repeats itself, but counts in a local variable.
 * It ends: nothing may be called a livelock. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    for (int i = 0; i < 60000; i++) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
    return 0;
}
