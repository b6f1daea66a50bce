#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SIZE = 200000 };
static int ends[2];

static void *reader(void *arg) {
    static char buffer[SIZE];
    long total = 0, got;
    while ((got = read(ends[0], buffer, SIZE)) > 0)
        total += got;
    assert(total == SIZE);
    return arg;
}

int main(void) {
    pthread_t thread;
    off_t place = 0;
    pipe(ends);
    int file = open("file", O_CREAT | O_RDWR, 0600);
    assert(ftruncate(file, SIZE) == 0);
    assert(sendfile(ends[1], file, &place, SIZE) == SIZE && place == SIZE);
    close(ends[1]);
    pthread_create(&thread, NULL, reader, NULL);
    pthread_join(thread, NULL);
    return 0;
}
