#include <pthread.h>

static union { int number; char text[8]; double real; } value;

static void *as_text(void *arg) {
    value.text[1] = 'x';
    return arg;
}

static void *as_number(void *arg) {
    value.number = 5;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, as_text, 0);
    pthread_create(&two, 0, as_number, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
