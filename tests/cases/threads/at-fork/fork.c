/* Handlers run at the forks of the program, and not at those that start its runs. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int prepared;

static void prepare(void) {
    pthread_mutex_lock(&m);
    prepared++;
}

static void parent(void) {
    pthread_mutex_unlock(&m);
}

__attribute__((constructor)) static void early(void) {
    pthread_atfork(prepare, parent, NULL);
}

int main(void) {
    assert(prepared == 0);
    if (fork() == 0)
        _exit(0);
    pthread_mutex_lock(&m);
    assert(prepared == 1);
    pthread_mutex_unlock(&m);
    return 0;
}
