#include <pthread.h>

static char bytes[8];

static void *fill(void *arg) {
    char *at = arg;
    for (int i = 0; i < 4; i++)
        at[i * 2]++;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, fill, bytes);
    pthread_create(&two, 0, fill, bytes + 1);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return bytes[0] + bytes[7] != 2;
}
