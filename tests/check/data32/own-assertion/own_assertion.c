/* What unpick.h asserts counts, also where there is no program to run. */
#include <pthread.h>
#include <unpick.h>

static long sum;

static void *add(void *arg) {
    sum += sizeof(long);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    R_assert(sum == 8);
    return 0;
}
