/* A named semaphore that lets two in at once. */
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
    sem_t *s = sem_open("/counter", O_CREAT | O_EXCL, 0600, 2);
    assert(s != SEM_FAILED);
    assert(sem_open("/counter", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
    assert(sem_getvalue(s, &value) == 0 && value == 2);
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    assert(sem_unlink("/counter") == 0);
    assert(sem_unlink("/counter") == -1 && errno == ENOENT);
    return 0;
}
