/* The one that looks is meant to come before at least one of the others. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *add(void *arg) {
    pthread_mutex_lock(&lock);
    data += *(int *)arg;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *look(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    assert(data < 3);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    static int one = 1, two = 2;
    pthread_t looker, first, second;
    pthread_create(&looker, NULL, look, NULL);
    pthread_create(&first, NULL, add, &one);
    pthread_create(&second, NULL, add, &two);
    pthread_join(looker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
