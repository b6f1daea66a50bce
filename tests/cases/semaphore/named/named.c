/* A named semaphore: new in every run, found by its name, gone when unlinked. The last run leaves one behind
 * on purpose: the next one must not find it. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static int x;

static void *worker(void *arg) {
    sem_t *s = sem_open("/counter", 0);
    assert(s != SEM_FAILED);
    sem_wait(s);
    x = x + 1;
    sem_post(s);
    sem_close(s);
    return arg;
}

int main(void) {
    pthread_t one, two;
    int value;
    assert(sem_open("/counter", 0) == SEM_FAILED && errno == ENOENT);
    sem_t *s = sem_open("/counter", O_CREAT | O_EXCL, 0600, 1);
    assert(s != SEM_FAILED);
    assert(sem_open("/counter", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
    assert(sem_getvalue(s, &value) == 0 && value == 1);
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    sem_t *same = sem_open("counter", 0);
    assert(same == s);
    return 0;
}
