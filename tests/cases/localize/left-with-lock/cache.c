/* Who finds nothing leaves with the lock in hand. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int entries[4], hits;

static int find(int key) {
    pthread_mutex_lock(&m);
    if (key < 0) {
        pthread_mutex_unlock(&m);
        return -1;
    }
    if (entries[key] == 0) {
        return 0;
    }
    hits++;
    pthread_mutex_unlock(&m);
    return 1;
}

static void *put(void *arg) {
    pthread_mutex_lock(&m);
    entries[2] = 7;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *get(void *arg) {
    find(-1);
    find(2);
    find(2);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, put, NULL);
    pthread_create(&two, NULL, get, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
