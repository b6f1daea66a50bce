/* Paper 001, Figure 9, repaired: the counter is a C11 atomic.
 * An atomic increment is one step, so nothing can come in between. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unpick.h>

#define NUM 2

static atomic_int sum;

static void *thread(void *arg) {
    (void)arg;
    atomic_fetch_add(&sum, 1);
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
