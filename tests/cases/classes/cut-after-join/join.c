#include <assert.h>
#include <pthread.h>

static int set;

static void *idle(void *arg) { return arg; }

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, idle, 0);
    pthread_create(&two, 0, idle, 0);
    pthread_join(two, 0);
    assert(set == 1);
    return 0;
}
