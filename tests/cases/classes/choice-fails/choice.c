#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unpick.h>

static int x;

static void *thread(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    int n = unpick_choose(0, 2);
    pthread_create(&t, NULL, thread, NULL);
    int seen = x;
    pthread_join(t, NULL);
    assert(n != 2 || seen == 1);
    return 0;
}
