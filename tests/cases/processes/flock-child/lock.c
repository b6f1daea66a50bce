#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static void *waiter(void *arg) {
    int file = open("lock", O_RDWR);
    assert(flock(file, LOCK_EX) == 0);
    close(file);
    return arg;
}

int main(void) {
    pthread_t thread;
    int ready[2];
    char byte;
    close(open("lock", O_CREAT | O_RDWR, 0600));
    pipe(ready);
    if (fork() == 0) {
        flock(open("lock", O_RDWR), LOCK_EX);
        write(ready[1], "x", 1);
        usleep(30000);
        _exit(0);
    }
    assert(read(ready[0], &byte, 1) == 1);
    pthread_create(&thread, NULL, waiter, NULL);
    waiter(NULL);
    pthread_join(thread, NULL);
    wait(NULL);
    return 0;
}
