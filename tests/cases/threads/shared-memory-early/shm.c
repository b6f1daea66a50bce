/* Main looks at the shared memory before the thread has written there. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int *map(int flags) {
    int file = shm_open("/unpick-case", flags | O_RDWR, 0600);
    if (file < 0)
        return NULL;
    assert(ftruncate(file, 4096) == 0);
    int *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return at;
}

static void *worker(void *arg) {
    int *x = map(0);
    assert(x);
    __atomic_store_n(x, 7, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void) {
    pthread_t t;
    assert(map(0) == NULL && errno == ENOENT);
    int *x = map(O_CREAT | O_EXCL);
    assert(x && map(O_CREAT | O_EXCL) == NULL && errno == EEXIST);
    pthread_create(&t, NULL, worker, NULL);
    assert(*x == 7);
    return 0;
}
