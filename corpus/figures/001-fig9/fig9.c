/* Paper 001, Figure 9: NUM threads increment a counter without a lock.
 * Fails where one reads the sum before another has written it. */
#include <pthread.h>
#include <stddef.h>
#include <unpick.h>

#ifndef NUM
#define NUM 2
#endif

static int sum;

static void *thread(void *arg) {
    (void)arg;
    sum = sum + 1;
    return NULL;
}

int main(void) {
    pthread_t t[NUM];
    for (int i = 0; i < NUM; i++)
        pthread_create(&t[i], NULL, thread, NULL);
    for (int i = 0; i < NUM; i++)
        pthread_join(t[i], NULL);
    R_assert(sum == NUM);
    return 0;
}
