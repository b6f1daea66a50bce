#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table[2];

static void fill(void) {
    table[0] = 1;
    table[1] = 2;
}

static void *use(void *arg) {
    pthread_once(&once, fill);
    return table[0] < table[1] ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, use, 0);
    pthread_create(&two, 0, use, 0);
    pthread_once(&once, fill);
    int sum = table[0] + table[1];
    pthread_join(one, 0);
    pthread_join(two, 0);
    return sum != 3;
}
