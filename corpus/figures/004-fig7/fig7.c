/* Paper 004, Figure 7: two groups share a lock; both guard their counters with the same mutex.
 * Deadlocks where one thread holds the lock, and the other holds the mutex and wants the lock. */
#include <pthread.h>
#include <stdlib.h>

static int A_count, B_count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *threadA(void *arg) {
    (void)arg;
    pthread_mutex_lock(&mutex);
    ++A_count;
    if (A_count == 1) pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    --A_count;
    if (A_count == 0) pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *threadB(void *arg) {
    (void)arg;
    pthread_mutex_lock(&mutex);
    ++B_count;
    if (B_count == 1) pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    --B_count;
    if (B_count == 0) pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t A, B;
    A_count = 0;
    B_count = 0;
    pthread_create(&A, NULL, threadA, NULL);
    pthread_create(&B, NULL, threadB, NULL);
    pthread_join(A, NULL);
    pthread_join(B, NULL);
    return EXIT_SUCCESS;
}
