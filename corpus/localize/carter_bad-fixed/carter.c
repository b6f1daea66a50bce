#include <pthread.h>

static pthread_mutex_t counters = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other_counters = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static int queries, updates, idle[2];

static void *query(void *arg) {
    pthread_mutex_lock(&counters);
    queries++;
    if (queries == 1)
        pthread_mutex_lock(&table);
    pthread_mutex_unlock(&counters);
    /* the table is read here */
    pthread_mutex_lock(&counters);
    queries--;
    if (queries == 0)
        pthread_mutex_unlock(&table);
    pthread_mutex_unlock(&counters);
    return arg;
}

static void *update(void *arg) {
    pthread_mutex_lock(&other_counters);
    updates++;
    if (updates == 1)
        pthread_mutex_lock(&table);
    pthread_mutex_unlock(&other_counters);
    /* the table is changed here */
    pthread_mutex_lock(&other_counters);
    updates--;
    if (updates == 0)
        pthread_mutex_unlock(&table);
    pthread_mutex_unlock(&other_counters);
    return arg;
}

static void *log_first(void *arg) {
    idle[0] = 1;
    return arg;
}

static void *log_second(void *arg) {
    idle[1] = 1;
    return arg;
}

int main(void) {
    pthread_t threads[4];
    pthread_create(&threads[0], NULL, query, NULL);
    pthread_create(&threads[1], NULL, update, NULL);
    pthread_create(&threads[2], NULL, log_first, NULL);
    pthread_create(&threads[3], NULL, log_second, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
