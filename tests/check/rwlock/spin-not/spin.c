#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int next;

static void *ticket(void *arg) {
    pthread_spin_lock(&lock);
    int mine = next;
    next = mine + 1;
    pthread_spin_unlock(&lock);
    *(int *)arg = mine;
    return 0;
}

int main(void) {
    pthread_t a, b;
    int one, two;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, 0, ticket, &one);
    pthread_create(&b, 0, ticket, &two);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(one != two);
    pthread_spin_destroy(&lock);
    return 0;
}
