// A cache keeps count of what is in it: putting is done under the lock, throwing out is not.
#include <assert.h>
#include <pthread.h>

#ifndef SLOTS
#define SLOTS 8
#endif
#ifndef ROUNDS
#define ROUNDS 6
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int keys[SLOTS];
static int count;

static void put(int key) {
    pthread_mutex_lock(&lock);
    if (keys[key % SLOTS] == 0) {
        keys[key % SLOTS] = key;
        count = count + 1;
    }
    pthread_mutex_unlock(&lock);
}

static void *writer(void *arg) {
    for (int i = 1; i <= ROUNDS; i++)
        put(2 * i);
    return arg;
}

static void *reader(void *arg) {
    for (int i = 1; i <= ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        int there = keys[2 * i % SLOTS] != 0;
        pthread_mutex_unlock(&lock);
        if (there) {
            keys[2 * i % SLOTS] = 0;
            count = count - 1;
        }
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int filled = 0;
    for (int i = 0; i < SLOTS; i++)
        filled += keys[i] != 0;
    assert(filled == count);
    return 0;
}
