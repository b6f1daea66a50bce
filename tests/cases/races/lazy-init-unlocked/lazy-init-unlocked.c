#include <pthread.h>

static int made, object;

static void *ensure(void *arg) {
    if (made == 0)
        made = ++object;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, ensure, 0);
    pthread_create(&two, 0, ensure, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
