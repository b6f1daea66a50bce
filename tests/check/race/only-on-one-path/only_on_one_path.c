#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int mode, value;

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    int m = mode;
    pthread_mutex_unlock(&lock);
    if (m == 77)
        value = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&lock);
    mode = __VERIFIER_nondet_uchar();
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    value = 2;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
