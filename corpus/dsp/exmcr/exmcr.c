// Three threads; only certain values seen in a certain order lead to the error.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *one(void *arg) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        x = 0;
        pthread_mutex_unlock(&lock);
        if (x > 0) {
            y = y + 1;
            x = 2;
        }
    }
    return arg;
}

static void *two(void *arg) {
    for (int i = 0; i < 2; i++) {
        if (x > 1) {
            assert(y != 1);
            y = 2;
        }
    }
    return arg;
}

static void *three(void *arg) {
    for (int i = 0; i < 2; i++)
        x = 1;
    return arg;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_create(&threads[2], NULL, three, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
