/* Three threads hand a number around, each under the same lock; who looks expects a finished round. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x1 = 1, x2 = 1, x3 = 1, seen1, seen2, seen3;

static void *first(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    x1 = (x3 + 1) % 4;
    seen1 = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *second(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    x2 = x1;
    seen2 = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *third(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    x3 = x2;
    seen3 = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *check(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    if (seen1 && seen2 && seen3)
        assert(x1 == x2 && x2 == x3);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    void *(*what[4])(void *) = {first, second, third, check};
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, what[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
