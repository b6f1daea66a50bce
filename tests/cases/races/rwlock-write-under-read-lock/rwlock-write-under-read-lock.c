#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int text, readers;

static void *consult(void *arg) {
    pthread_rwlock_rdlock(&lock);
    int value = text;
    readers++;
    pthread_rwlock_unlock(&lock);
    return value ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, consult, 0);
    pthread_create(&two, 0, consult, 0);
    pthread_rwlock_wrlock(&lock);
    text = 1;
    pthread_rwlock_unlock(&lock);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return readers > 2;
}
