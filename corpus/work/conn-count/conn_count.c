/* A cache server keeps a count of its open connections; worker threads open
 * and close connections, a maintenance thread reaps an idle one. */
#include <assert.h>
#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    int curr_conns;
    int total_conns;
} stats = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void conn_open(void)
{
    pthread_mutex_lock(&stats.lock);
    stats.curr_conns++;
    stats.total_conns++;
    pthread_mutex_unlock(&stats.lock);
}

static void conn_close(void)
{
    pthread_mutex_lock(&stats.lock);
    stats.curr_conns--;
    pthread_mutex_unlock(&stats.lock);
}

static void conn_reap_idle(void)
{
    stats.curr_conns--;
}

static int conn_current(void)
{
    pthread_mutex_lock(&stats.lock);
    int n = stats.curr_conns;
    pthread_mutex_unlock(&stats.lock);
    return n;
}

static void *worker(void *arg)
{
    (void)arg;
    conn_open();
    conn_close();
    return NULL;
}

static void *maintenance(void *arg)
{
    (void)arg;
    conn_reap_idle();
    return NULL;
}

int main(void)
{
    pthread_t workers[2], maint;

    conn_open();
    pthread_create(&workers[0], NULL, worker, NULL);
    pthread_create(&workers[1], NULL, worker, NULL);
    pthread_create(&maint, NULL, maintenance, NULL);
    pthread_join(workers[0], NULL);
    pthread_join(workers[1], NULL);
    pthread_join(maint, NULL);

    assert(conn_current() == 0);
    assert(stats.total_conns == 3);
    return 0;
}
