#include <pthread.h>

static const char kind[2] = {'r', 'w'};
static int value;

static void *act(void *arg) {
    int me = arg != 0;
    if (kind[me] == 'w')
        value = 1;
    else if (kind[me] == 'x')
        value = 2;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, act, 0);
    pthread_create(&two, 0, act, &one);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return value != 1;
}
