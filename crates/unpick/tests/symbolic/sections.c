/* Atomic sections, by name and by call. */
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int __VERIFIER_atomic_add(int by) {
    x += by;
    y -= by;
    return x;
}
void *adds(void *arg) {
    __VERIFIER_atomic_add(2);
    __VERIFIER_atomic_begin();
    x++;
    pthread_mutex_lock(&m);
    y--;
    pthread_mutex_unlock(&m);
    __VERIFIER_atomic_end();
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, adds, 0);
    pthread_create(&b, 0, adds, 0);
    pthread_mutex_lock(&m);
    int sum = x + y;
    pthread_mutex_unlock(&m);
    __VERIFIER_atomic_add(1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x + y == 0);
    return sum > 1;
}
