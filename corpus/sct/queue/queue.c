/* A producer and a consumer share a queue under a lock, but who may go next is said by flags that are
 * set a moment too late: the consumer may find the queue without what it was promised. */
#include <assert.h>
#include <pthread.h>

#define SIZE 8
#define ITEMS 5

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[SIZE], head, tail, amount, announced;

static void *produce(void *arg) {
    (void)arg;
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        announced++;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        items[tail] = i + 1;
        tail = (tail + 1) % SIZE;
        amount++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *consume(void *arg) {
    (void)arg;
    int taken = 0;
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        if (announced > taken) {
            assert(amount > 0);
            assert(items[head] == taken + 1);
            head = (head + 1) % SIZE;
            amount--;
            taken++;
        }
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t producer, consumer;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    return 0;
}
