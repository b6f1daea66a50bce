/* Who comes first of several takes an outer lock for all, who leaves last gives it back: the inner lock
 * and the outer one are taken in both orders. */
#include <pthread.h>

static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER, outer = PTHREAD_MUTEX_INITIALIZER;
static int inside_a, inside_b;

static void *group_a(void *arg) {
    (void)arg;
    pthread_mutex_lock(&inner);
    if (++inside_a == 1)
        pthread_mutex_lock(&outer);
    pthread_mutex_unlock(&inner);
    pthread_mutex_lock(&inner);
    if (--inside_a == 0)
        pthread_mutex_unlock(&outer);
    pthread_mutex_unlock(&inner);
    return NULL;
}

static void *group_b(void *arg) {
    (void)arg;
    pthread_mutex_lock(&inner);
    if (++inside_b == 1)
        pthread_mutex_lock(&outer);
    pthread_mutex_unlock(&inner);
    pthread_mutex_lock(&inner);
    if (--inside_b == 0)
        pthread_mutex_unlock(&outer);
    pthread_mutex_unlock(&inner);
    return NULL;
}

static void *passer_by(void *arg) {
    (void)arg;
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    void *(*what[4])(void *) = {group_a, group_b, passer_by, passer_by};
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, what[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
