#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void *square(void *arg) {
    intptr_t n = (intptr_t)arg;
    return (void *)(n * n);
}

int main(void) {
    pthread_t a, b;
    void *one, *two;
    pthread_create(&a, 0, square, (void *)3);
    pthread_create(&b, 0, square, (void *)-4);
    pthread_join(a, &one);
    pthread_join(b, &two);
    assert((intptr_t)one == 9 && (intptr_t)two == 16);
    return 0;
}
