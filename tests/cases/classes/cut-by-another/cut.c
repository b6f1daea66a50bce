#include <assert.h>
#include <pthread.h>
int x;
void *thread1(void *arg) { x++; return arg; }
void *thread2(void *arg) { int a = x; assert(a == 2); return arg; }
void *thread3(void *arg) { return arg; }
int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread2, 0);
    pthread_create(&t3, 0, thread3, 0);
    pthread_join(t1, 0);
    pthread_join(t3, 0);
    return 0;
}
