#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *thread(void *arg) {
    if (arg == NULL)
        pthread_rwlock_rdlock(&l);
    else if (((long)arg == 1 ? pthread_rwlock_trywrlock(&l) : pthread_rwlock_tryrdlock(&l)) != 0)
        return arg;
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
