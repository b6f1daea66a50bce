/* Who finds the table announced uses it, but it is announced before it is filled. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int table[2];

static void fill(int at, int value) {
    table[at] = value;
}

static void prepare(void) {
    if (atomic_load(&ready)) {
        return;
    }
    pthread_mutex_lock(&m);
    if (!atomic_load(&ready)) {
        atomic_store(&ready, 1);
        fill(0, 5);
        fill(1, 7);
    }
    pthread_mutex_unlock(&m);
}

static void *use(void *arg) {
    prepare();
    assert(table[0] + table[1] == 12);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, use, NULL);
    pthread_create(&two, NULL, use, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
