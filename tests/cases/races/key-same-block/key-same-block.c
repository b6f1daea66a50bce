#include <pthread.h>

static pthread_key_t key;
static struct context { int user, depth; } common;

static void enter(void) {
    struct context *mine = pthread_getspecific(key);
    mine->depth += 1;
}

static void *serve(void *arg) {
    pthread_setspecific(key, &common);
    enter();
    return arg;
}

int main(void) {
    pthread_key_create(&key, 0);
    pthread_t one;
    pthread_create(&one, 0, serve, 0);
    serve(0);
    pthread_join(one, 0);
    return 0;
}
