#include <assert.h>
#include <pthread.h>

#define OTHERS 6

static pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *careful(void *arg) {
    pthread_mutex_lock(&data_lock);
    int before = value;
    value = value + 1;
    int after = value;
    pthread_mutex_unlock(&data_lock);
    assert(after == before + 1);
    return arg;
}

static void *other(void *arg) {
    pthread_mutex_lock(&data_lock);
    value++;
    pthread_mutex_unlock(&data_lock);
    return arg;
}

int main(void) {
    pthread_t one, others[OTHERS];
    pthread_create(&one, NULL, careful, NULL);
    for (int i = 0; i < OTHERS; i++)
        pthread_create(&others[i], NULL, other, NULL);
    pthread_join(one, NULL);
    for (int i = 0; i < OTHERS; i++)
        pthread_join(others[i], NULL);
    return 0;
}
