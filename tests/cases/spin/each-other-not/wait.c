#include <assert.h>
#include <pthread.h>

static volatile int here[2];

static void *run(void *arg) {
    int me = (int)(long)arg;
    here[me] = 1;
    while (!here[1 - me]) {
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, (void *)0);
    pthread_create(&b, 0, run, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
