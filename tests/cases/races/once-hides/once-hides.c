#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int ready, note;

static void prepare(void) {
    ready = 1;
}

static void *leaves_note(void *arg) {
    note = 5;
    pthread_once(&once, prepare);
    return arg;
}

static void *reads_note(void *arg) {
    pthread_once(&once, prepare);
    return note ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, leaves_note, 0);
    pthread_create(&two, 0, reads_note, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return ready != 1;
}
