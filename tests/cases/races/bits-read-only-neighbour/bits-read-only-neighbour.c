#include <pthread.h>

static struct { int ready : 1; int kind : 4; long size; } entry;

static void *mark(void *arg) {
    entry.ready = -1;
    return arg;
}

int main(void) {
    entry.kind = 3;
    pthread_t one;
    pthread_create(&one, 0, mark, 0);
    int kind = entry.kind;
    entry.size = 10;
    pthread_join(one, 0);
    return kind != 3;
}
