#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union { _Atomic uint64_t word; unsigned char bytes[8]; } cell;

static void *store(void *arg) {
    atomic_store(&cell.word, ~0ull);
    return arg;
}

static void *peek(void *arg) {
    return cell.bytes[5] ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, store, 0);
    pthread_create(&two, 0, peek, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
