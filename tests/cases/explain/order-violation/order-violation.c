#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct item { int value; };
struct item *shared;
static void *producer(void *arg) { struct item *i = malloc(sizeof *i); i->value = 7; shared = i; return arg; }
static void *consumer(void *arg) { int v = shared->value; assert(v == 7); return arg; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
