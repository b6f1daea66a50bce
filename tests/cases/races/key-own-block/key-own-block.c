#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void add_up(void *block) {
    pthread_mutex_lock(&lock);
    total += *(int *)block;
    pthread_mutex_unlock(&lock);
    free(block);
}

static void *count(void *arg) {
    int *mine = calloc(1, sizeof *mine);
    pthread_setspecific(key, mine);
    ++*(int *)pthread_getspecific(key);
    return arg;
}

int main(void) {
    pthread_key_create(&key, add_up);
    pthread_t one, two;
    pthread_create(&one, 0, count, 0);
    pthread_create(&two, 0, count, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return total != 2;
}
