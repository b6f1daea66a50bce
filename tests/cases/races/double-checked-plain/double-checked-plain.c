#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct single { int value; } object, *instance;

static void *get(void *arg) {
    if (!instance) {
        pthread_mutex_lock(&lock);
        if (!instance) {
            object.value = 1;
            instance = &object;
        }
        pthread_mutex_unlock(&lock);
    }
    struct single *mine = instance;
    return mine->value ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, get, 0);
    pthread_create(&two, 0, get, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
