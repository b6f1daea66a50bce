#include <pthread.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
static int lines, rows;

static void *report(void *arg) {
    pthread_mutex_lock(&log_lock);
    pthread_rwlock_rdlock(&table_lock);
    lines += rows;
    pthread_rwlock_unlock(&table_lock);
    pthread_mutex_unlock(&log_lock);
    return arg;
}

static void *update(void *arg) {
    pthread_rwlock_wrlock(&table_lock);
    rows++;
    pthread_mutex_lock(&log_lock);
    lines++;
    pthread_mutex_unlock(&log_lock);
    pthread_rwlock_unlock(&table_lock);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, report, 0);
    pthread_create(&two, 0, update, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
