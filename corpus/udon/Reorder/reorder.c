/* Setters write a and then b; a checker that comes in between sees the one without the other. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef SETTERS
#define SETTERS 4
#endif
#ifndef CHECKERS
#define CHECKERS 1
#endif

static int a, b;

#ifdef SAFE
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#define ACQUIRE() pthread_mutex_lock(&m)
#define RELEASE() pthread_mutex_unlock(&m)
#else
#define ACQUIRE() ((void)0)
#define RELEASE() ((void)0)
#endif

static void *set(void *arg) {
    ACQUIRE();
    a = 1;
    b = -1;
    RELEASE();
    return arg;
}

static void *check(void *arg) {
    ACQUIRE();
    assert((a == 0 && b == 0) || (a == 1 && b == -1));
    RELEASE();
    return arg;
}

int main(void) {
    pthread_t setters[SETTERS], checkers[CHECKERS];
    for (int i = 0; i < SETTERS; i++)
        pthread_create(&setters[i], NULL, set, NULL);
    for (int i = 0; i < CHECKERS; i++)
        pthread_create(&checkers[i], NULL, check, NULL);
    for (int i = 0; i < SETTERS; i++)
        pthread_join(setters[i], NULL);
    for (int i = 0; i < CHECKERS; i++)
        pthread_join(checkers[i], NULL);
    return 0;
}
