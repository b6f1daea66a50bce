#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int table, made;

static int lookup(void) {
    pthread_rwlock_rdlock(&lock);
    int value = table;
    pthread_rwlock_unlock(&lock);
    return value;
}

static void *ensure(void *arg) {
    if (lookup() == 0) {
        pthread_rwlock_wrlock(&lock);
        if (table == 0) {
            table = 5;
            made++;
        }
        pthread_rwlock_unlock(&lock);
    }
    return lookup() == 5 ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, ensure, 0);
    pthread_create(&two, 0, ensure, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return made != 1;
}
