#include <assert.h>
#include <pthread.h>

static volatile int flag;

static void *run(void *arg) {
    (void)arg;
    int rounds = 0;
    while (!flag) {
        rounds++;
    }
    assert(rounds != 3);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    flag = 1;
    pthread_join(thread, 0);
    return 0;
}
