/* Handlers run at the forks of the program, and not at those that start its runs. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int prepared, parents;

static void prepare(void) { prepared++; }
static void parent(void) { parents++; }

__attribute__((constructor)) static void early(void) {
    pthread_atfork(prepare, parent, NULL);
}

int main(void) {
    assert(prepared == 0);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    int status;
    waitpid(child, &status, 0);
    assert(prepared == 1 && parents == 1);
    assert(WEXITSTATUS(status) == 0);
    return 0;
}
