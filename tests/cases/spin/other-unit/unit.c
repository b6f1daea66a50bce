#include <assert.h>
#include <pthread.h>

int nothing(void);
static volatile int flag;
static int data;

static void *run(void *arg) {
    (void)arg;
    while (!flag)
        nothing();
    assert(data == 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    data = 1;
    flag = 1;
    pthread_join(thread, 0);
    return 0;
}
