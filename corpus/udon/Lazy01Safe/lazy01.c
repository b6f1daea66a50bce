/* One thread adds 1, one adds 2, and a third looks, all under a lock. It may see 3, if it comes last. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifdef BAD
#define MOST 2
#else
#define MOST 3
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *add_one(void *arg) {
    pthread_mutex_lock(&m);
    data++;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *add_two(void *arg) {
    pthread_mutex_lock(&m);
    data += 2;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *look(void *arg) {
    pthread_mutex_lock(&m);
    assert(data <= MOST);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, NULL, add_one, NULL);
    pthread_create(&two, NULL, add_two, NULL);
    pthread_create(&three, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_join(three, NULL);
    return 0;
}
