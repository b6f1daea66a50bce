/* Paper 004, Figure 7, repaired: each group guards its counter with a mutex of its own.
 * Who holds the lock can always get to releasing it. */
#include <pthread.h>
#include <stdlib.h>

static int A_count, B_count;
static pthread_mutex_t mutexA = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mutexB = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *threadA(void *arg) {
    (void)arg;
    pthread_mutex_lock(&mutexA);
    ++A_count;
    if (A_count == 1) pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&mutexA);
    pthread_mutex_lock(&mutexA);
    --A_count;
    if (A_count == 0) pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&mutexA);
    return NULL;
}

static void *threadB(void *arg) {
    (void)arg;
    pthread_mutex_lock(&mutexB);
    ++B_count;
    if (B_count == 1) pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&mutexB);
    pthread_mutex_lock(&mutexB);
    --B_count;
    if (B_count == 0) pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&mutexB);
    return NULL;
}

int main(void) {
    pthread_t A, B;
    pthread_create(&A, NULL, threadA, NULL);
    pthread_create(&B, NULL, threadB, NULL);
    pthread_join(A, NULL);
    pthread_join(B, NULL);
    return EXIT_SUCCESS;
}
