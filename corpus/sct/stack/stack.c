/* Push and pop are locked, but whether there is something to pop is asked outside. Two threads pop. */
#include <assert.h>
#include <pthread.h>

#define SIZE 8
#define ITEMS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[SIZE], top;

static void push(int value) {
    pthread_mutex_lock(&lock);
    items[top++] = value;
    pthread_mutex_unlock(&lock);
}

static int pop(void) {
    pthread_mutex_lock(&lock);
    assert(top > 0);
    int value = items[--top];
    pthread_mutex_unlock(&lock);
    return value;
}

static void *pusher(void *arg) {
    (void)arg;
    for (int i = 0; i < ITEMS; i++)
        push(i);
    return NULL;
}

static void *popper(void *arg) {
    (void)arg;
    for (int i = 0; i < ITEMS; i++)
        if (top > 0)
            pop();
    return NULL;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, NULL, pusher, NULL);
    pthread_create(&two, NULL, popper, NULL);
    pthread_create(&three, NULL, popper, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_join(three, NULL);
    return 0;
}
