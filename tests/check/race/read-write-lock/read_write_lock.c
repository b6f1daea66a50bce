#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value, hits;

static void *reader(void *arg) {
    pthread_rwlock_rdlock(&lock);
    *(int *)arg = value;
    hits++;
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    int one, two;
    pthread_create(&a, 0, reader, &one);
    pthread_create(&b, 0, reader, &two);
    pthread_rwlock_wrlock(&lock);
    value = 1;
    hits = 1;
    pthread_rwlock_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
