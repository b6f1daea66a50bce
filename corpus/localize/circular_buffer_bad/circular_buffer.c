#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define SIZE 10
#define ATTEMPTS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char ring[SIZE];
static unsigned first, next;
static int held;
static bool may_send = true, may_receive = false;

static int insert(char element) {
    if (held == SIZE)
        return -1;
    ring[next] = element;
    next = (next + 1) % SIZE;
    held++;
    return element;
}

static int take(void) {
    if (held == 0)
        return -1;
    int element = ring[first];
    first = (first + 1) % SIZE;
    held--;
    return element;
}

static void *sender(void *arg) {
    char element = 0;
    for (int i = 0; i < ATTEMPTS; i++) {
        pthread_mutex_lock(&lock);
        if (may_send) {
            insert(element++);
            may_send = false;
            may_receive = true;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *receiver(void *arg) {
    for (int i = 0; i < ATTEMPTS; i++) {
        pthread_mutex_lock(&lock);
        if (may_receive) {
            assert(take() == i);
            may_receive = false;
            may_send = true;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, sender, NULL);
    pthread_create(&two, NULL, receiver, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
