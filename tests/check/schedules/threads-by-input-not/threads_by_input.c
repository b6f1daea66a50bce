#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next;
static int slots[3];

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    slots[next++] = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t threads[3];
    int n = __VERIFIER_nondet_uchar();
    if (n > (int)(sizeof slots / sizeof slots[0]))
        return 0;
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], 0);
    return 0;
}
