#include <assert.h>
#include <pthread.h>

static int table[4];

static void *lower(void *unused) {
    for (int i = 0; i < 1; i++)
        table[i] = 1;
    return unused;
}

static void *upper(void *unused) {
    for (int i = 2; i < 4; i++)
        table[i] = 1;
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, lower, NULL);
    pthread_create(&two, NULL, upper, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(table[0] + table[1] + table[2] + table[3] == 4);
    return 0;
}
