/* A read-write lock: the reader never sees the writer's work half done.
 * Main only waits. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int a, b;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *arg) {
    (void)arg;
    pthread_rwlock_wrlock(&l);
    a++;
    b++;
    pthread_rwlock_unlock(&l);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&l);
    assert(a == b);
    pthread_rwlock_unlock(&l);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&two, NULL, reader, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
