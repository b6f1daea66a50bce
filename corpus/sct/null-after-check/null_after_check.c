/* A pipe's end is closed by one user while another has found it open. */
#include <pthread.h>
#include <stdlib.h>

struct pipe {
    int readers, writers;
};

static struct pipe *pipe_of_file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *open_again(void *arg) {
    (void)arg;
    if (pipe_of_file != NULL) {
        pthread_mutex_lock(&lock);
        pipe_of_file->readers++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *release(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    if (--pipe_of_file->writers == 0) {
        pipe_of_file = NULL;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    struct pipe *whole = malloc(sizeof *whole);
    whole->readers = whole->writers = 1;
    pipe_of_file = whole;
    pthread_create(&one, NULL, open_again, NULL);
    pthread_create(&other, NULL, release, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    free(whole);
    return 0;
}
