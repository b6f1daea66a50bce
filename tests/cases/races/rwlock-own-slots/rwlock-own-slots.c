#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int slots[2];

static void *fill(void *arg) {
    int *mine = arg;
    pthread_rwlock_rdlock(&lock);
    *mine += 1;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, fill, &slots[0]);
    pthread_create(&two, 0, fill, &slots[1]);
    pthread_rwlock_wrlock(&lock);
    int sum = slots[0] + slots[1];
    slots[0] = 0;
    pthread_rwlock_unlock(&lock);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return sum > 2;
}
