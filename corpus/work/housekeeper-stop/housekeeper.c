/* Background housekeeper that is woken for work and at shutdown. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t hk_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t hk_wake = PTHREAD_COND_INITIALIZER;
static atomic_int hk_stop;
static int hk_dirty;
static int hk_flushed;

static void *housekeeper(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&hk_lock);
    for (;;) {
        while (hk_dirty == 0 && !atomic_load(&hk_stop))
            pthread_cond_wait(&hk_wake, &hk_lock);
        if (hk_dirty > 0) {
            hk_flushed += hk_dirty;
            hk_dirty = 0;
            continue;
        }
        break;
    }
    pthread_mutex_unlock(&hk_lock);
    return NULL;
}

static void mark_dirty(int n)
{
    pthread_mutex_lock(&hk_lock);
    hk_dirty += n;
    pthread_cond_signal(&hk_wake);
    pthread_mutex_unlock(&hk_lock);
}

static void request_stop(void)
{
    atomic_store(&hk_stop, 1);
    pthread_cond_signal(&hk_wake);
}

static void *writer(void *arg)
{
    int n = *(int *)arg;
    for (int i = 0; i < n; i++)
        mark_dirty(1);
    return NULL;
}

int main(void)
{
    pthread_t hk, w;
    int n = 2;

    pthread_create(&hk, NULL, housekeeper, NULL);
    pthread_create(&w, NULL, writer, &n);
    pthread_join(w, NULL);
    request_stop();
    pthread_join(hk, NULL);
    assert(hk_flushed == n);
    printf("flushed %d\n", hk_flushed);
    return 0;
}
