/* Two threads change two numbers, each change under the lock. Sums do not depend on the order. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int data1 = 10, data2 = 10;

static void *up(void *arg) {
    pthread_mutex_lock(&m);
    data1++;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    data2++;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *across(void *arg) {
    pthread_mutex_lock(&m);
    data1 += 5;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    data2 -= 6;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, up, NULL);
    pthread_create(&two, NULL, across, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
#ifdef BAD
    assert(data1 != 16 || data2 != 5);
#else
    assert(data1 == 16 && data2 == 5);
#endif
    return 0;
}
