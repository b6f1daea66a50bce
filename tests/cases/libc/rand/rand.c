/* Two numbers in a row are taken to be successive; another thread draws in between. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    (void)rand();
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    srand(1);
    int first = rand(), second = rand();
    srand(1);
    pthread_create(&thread, NULL, worker, NULL);
    int a = rand(), b = rand();
    assert(a != first || b == second);
    pthread_join(thread, NULL);
    return 0;
}
