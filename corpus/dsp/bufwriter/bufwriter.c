// Writers append to a buffer and count what they wrote; where the next byte goes is read and moved in two steps.
#include <assert.h>
#include <pthread.h>

#ifndef WRITERS
#define WRITERS 4
#endif
#ifndef LINES
#define LINES 6
#endif

static char buffer[WRITERS * LINES];
static int end;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int written;

static void append(char byte) {
    int at = end;
    buffer[at] = byte;
    end = at + 1;
}

static void *writer(void *arg) {
    for (int i = 0; i < LINES; i++) {
        append('a');
        pthread_mutex_lock(&lock);
        written = written + 1;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t writers[WRITERS];
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&writers[i], NULL, writer, NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i], NULL);
    assert(end == written);
    return 0;
}
