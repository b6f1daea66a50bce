#include <stdlib.h>
#include <threads.h>

static tss_t key;
static _Thread_local int own;
static int *kept;

static void keep(void *value) {
    kept = value;
    *kept += 1;
}

static int work(void *arg) {
    own = 1;
    int *block = malloc(sizeof *block);
    *block = own;
    tss_set(key, block);
    return arg != 0;
}

int main(void) {
    tss_create(&key, keep);
    thrd_t one;
    thrd_create(&one, work, 0);
    thrd_join(one, 0);
    int seen = *kept;
    free(kept);
    return seen != 2;
}
