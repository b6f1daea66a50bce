#include <pthread.h>
#include <stdatomic.h>

static struct letter { int text; } letter;
static _Atomic(struct letter *) box;

static void *send(void *arg) {
    letter.text = 1;
    atomic_store_explicit(&box, &letter, memory_order_release);
    return arg;
}

static void *receive(void *arg) {
    struct letter *mine = atomic_load_explicit(&box, memory_order_relaxed);
    if (mine)
        return mine->text ? arg : 0;
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, send, 0);
    pthread_create(&two, 0, receive, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
