#include <pthread.h>

static pthread_key_t key;
static int closed;

static void on_exit_of_thread(void *value) {
    closed++;
    (void)value;
}

static void *work(void *arg) {
    pthread_setspecific(key, &closed);
    return arg;
}

int main(void) {
    pthread_key_create(&key, on_exit_of_thread);
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
