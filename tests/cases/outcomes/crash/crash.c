/* A null pointer is used where main clears it between the check and the use.
 * The faulting address is that of the field, 64 bytes in. */
#include <pthread.h>
#include <stddef.h>

struct node {
    char pad[64];
    int value;
};

static struct node one, *p = &one;
static int sink;

static void *worker(void *arg) {
    (void)arg;
    if (p)
        sink = p->value;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    p = NULL;
    pthread_join(t, NULL);
    return sink;
}
