// Blocks are taken from a pool and given back. Whether one is free is seen before the lock is taken.
#include <assert.h>
#include <pthread.h>

#ifndef USERS
#define USERS 4
#endif
#ifndef ROUNDS
#define ROUNDS 8
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int available = BLOCKS;
static int used;

static void *user(void *arg) {
    for (int i = 0; i < ROUNDS; i++) {
        if (available > 0) {
            pthread_mutex_lock(&lock);
            available = available - 1;
            pthread_mutex_unlock(&lock);
            used = used + 1;
            pthread_mutex_lock(&lock);
            assert(available >= 0);
            available = available + 1;
            pthread_mutex_unlock(&lock);
        }
    }
    return arg;
}

int main(void) {
    pthread_t users[USERS];
    for (int i = 0; i < USERS; i++)
        pthread_create(&users[i], NULL, user, NULL);
    for (int i = 0; i < USERS; i++)
        pthread_join(users[i], NULL);
    return 0;
}
