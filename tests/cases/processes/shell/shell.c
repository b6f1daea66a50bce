#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void *worker(void *arg) {
    assert(system("exit 3") == 3 << 8);
    return arg;
}

int main(void) {
    pthread_t thread;
    char line[16] = "";
    int status;
    pthread_create(&thread, NULL, worker, NULL);
    FILE *stream = popen("echo hello", "r");
    assert(stream && fgets(line, sizeof line, stream) && strcmp(line, "hello\n") == 0);
    assert(pclose(stream) == 0);
    pthread_join(thread, NULL);
    pid_t child = vfork();
    if (child == 0) {
        execlp("sh", "sh", "-c", "exit 5", (char *)NULL);
        _exit(127);
    }
    assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 5);
    return 0;
}
