#include <assert.h>
#include <pthread.h>

static int flag;
static int data;
static int work[64];

static void *run(void *arg) {
    (void)arg;
    while (!__atomic_load_n(&flag, __ATOMIC_SEQ_CST)) {
    }
    assert(data == 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    for (int i = 0; i < 64; i++)
        work[i] = i;
    __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
    data = 1;
    pthread_join(thread, 0);
    return 0;
}
