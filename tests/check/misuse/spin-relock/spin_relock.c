#include <pthread.h>

static pthread_spinlock_t lock;
static int value;

static int read_value(void) {
    pthread_spin_lock(&lock);
    int v = value;
    pthread_spin_unlock(&lock);
    return v;
}

int main(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    value = read_value() + 1;
    pthread_spin_unlock(&lock);
    return 0;
}
