#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    uint64_t first;
    assert(pipe(ends) == 0);
    assert(write(ends[1], "abc\n", 4) == 4);
    close(ends[1]);
    char line[8];
    FILE *stream = fdopen(ends[0], "r");
    assert(fgets(line, sizeof line, stream) && strcmp(line, "abc\n") == 0);
    fclose(stream);
    int random = open("/dev/urandom", O_RDONLY);
    assert(random == ends[0]);
    assert(read(random, &first, sizeof first) == sizeof first);
    printf("%lu\n", first);
    abort();
}
