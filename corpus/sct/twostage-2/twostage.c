/* WRITERS threads set two values in two critical sections; a reader looks at both, each under its lock.
 * It fails where it comes between the stages, before anybody has set the second value. */
#include <assert.h>
#include <pthread.h>

#ifndef WRITERS
#define WRITERS 1
#endif

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *write_both(void *arg) {
    (void)arg;
    pthread_mutex_lock(&first_lock);
    first = 1;
    pthread_mutex_unlock(&first_lock);
    pthread_mutex_lock(&second_lock);
    second = first + 1;
    pthread_mutex_unlock(&second_lock);
    return NULL;
}

static void *read_both(void *arg) {
    (void)arg;
    pthread_mutex_lock(&first_lock);
    int one = first;
    pthread_mutex_unlock(&first_lock);
    if (one == 0)
        return NULL;
    pthread_mutex_lock(&second_lock);
    int two = second;
    pthread_mutex_unlock(&second_lock);
    assert(two == one + 1);
    return NULL;
}

int main(void) {
    pthread_t writers[WRITERS], reader;
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&writers[i], NULL, write_both, NULL);
    pthread_create(&reader, NULL, read_both, NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i], NULL);
    pthread_join(reader, NULL);
    return 0;
}
