#include <pthread.h>

struct settings { int a, b, c, d; };
static struct settings current, next;

static void *work(void *arg) {
    next = current;
    next.c = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    struct settings mine = current;
    pthread_join(thread, 0);
    return mine.a;
}
