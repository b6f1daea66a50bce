#include <assert.h>
#include <pthread.h>

static int counter;

static void *increase(void *arg) {
    int before = counter;
    counter = before + 1;
    assert(counter == before + 1);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, increase, NULL);
    pthread_create(&two, NULL, increase, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(counter == 2);
    return 0;
}
