// Files are handed to workers through a queue; what they find is added up without the lock.
#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef FILES
#define FILES 4
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_file;
static int matches;
static int seen[FILES];

static int scan(int file) {
    return file % 2 + 1;
}

static void *work(void *arg) {
    for (;;) {
        pthread_mutex_lock(&lock);
        int file = next_file;
        if (file < FILES)
            next_file = file + 1;
        pthread_mutex_unlock(&lock);
        if (file >= FILES)
            return arg;
        seen[file] = 1;
        int found = scan(file);
        matches += found;
    }
}

int main(void) {
    pthread_t workers[WORKERS];
    int expected = 0;
    for (int i = 0; i < FILES; i++)
        expected += scan(i);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    assert(matches == expected);
    return 0;
}
