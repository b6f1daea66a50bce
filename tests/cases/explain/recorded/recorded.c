// Under the system's own scheduler the reader comes first, and a second one after it: both branches go the other way
// than in most orders.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static int ready, missed, late;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg) {
    for (volatile int i = 0; i < 10000; i++)
        ;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *reader(void *arg) {
    pthread_mutex_lock(&lock);
    int seen = ready;
    pthread_mutex_unlock(&lock);
    if (!seen)
        missed = 1;
    return arg;
}

static void *watcher(void *arg) {
    for (volatile int i = 0; i < 3000; i++)
        ;
    if (missed)
        late = 1;
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_create(&c, NULL, watcher, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(!late);
    return 0;
}
