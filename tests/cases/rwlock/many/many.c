/* Seventy read-write locks held at once, released oldest first.
 * Nothing is wrong with that. */
#include <pthread.h>

static pthread_rwlock_t locks[70];

int main(void) {
    for (int i = 0; i < 70; i++) {
        pthread_rwlock_init(&locks[i], 0);
        pthread_rwlock_rdlock(&locks[i]);
    }
    for (int i = 0; i < 70; i++)
        pthread_rwlock_unlock(&locks[i]);
    return 0;
}
