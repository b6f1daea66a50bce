/* One thread protects the value with one lock, OTHERS threads with another. */
#include <assert.h>
#include <pthread.h>

#ifndef OTHERS
#define OTHERS 3
#endif

static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER, wrong = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *careful(void *arg) {
    (void)arg;
    pthread_mutex_lock(&right);
    int before = value;
    value++;
    assert(value == before + 1);
    pthread_mutex_unlock(&right);
    return NULL;
}

static void *careless(void *arg) {
    (void)arg;
    pthread_mutex_lock(&wrong);
    value++;
    pthread_mutex_unlock(&wrong);
    return NULL;
}

int main(void) {
    pthread_t one, others[OTHERS];
    pthread_create(&one, NULL, careful, NULL);
    for (int i = 0; i < OTHERS; i++)
        pthread_create(&others[i], NULL, careless, NULL);
    pthread_join(one, NULL);
    for (int i = 0; i < OTHERS; i++)
        pthread_join(others[i], NULL);
    return 0;
}
