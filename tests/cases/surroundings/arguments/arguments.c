#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    assert(argc == 4 && strcmp(argv[1], "-x") == 0 && strcmp(argv[2], "two words") == 0 && argv[3][0] == 0);
    assert(getenv("PATH") != NULL);
    return 0;
}
