#include <assert.h>
#include <pthread.h>

static volatile int stop;
static int data;
static int left = 2000;

static void *run(void *arg) {
    (void)arg;
    while (left > 0 || !stop) {
        if (left > 0)
            left--;
    }
    assert(data == 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    data = 1;
    pthread_join(thread, 0);
    return 0;
}
