/* SETTERS threads write a and then b; one thread looks at both. It must find both or neither: it fails
 * where it comes between the first write of a and the first write of b. */
#include <assert.h>
#include <pthread.h>

#ifndef SETTERS
#define SETTERS 2
#endif

static int a, b;

static void *set(void *arg) {
    (void)arg;
    a = 1;
    b = -1;
    return NULL;
}

static void *check(void *arg) {
    (void)arg;
    assert((a == 0 && b == 0) || (a == 1 && b == -1));
    return NULL;
}

int main(void) {
    pthread_t setters[SETTERS], checker;
    for (int i = 0; i < SETTERS; i++)
        pthread_create(&setters[i], NULL, set, NULL);
    pthread_create(&checker, NULL, check, NULL);
    for (int i = 0; i < SETTERS; i++)
        pthread_join(setters[i], NULL);
    pthread_join(checker, NULL);
    return 0;
}
