/* Timer list: the timer thread fires due timers, owners may cancel. A
 * cancel must not return while the callback still runs. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct request {
    int magic;
    int timed_out;
};

struct timer {
    int due;
    int armed;
    int firing;
    void (*cb)(void *);
    void *arg;
};

static pthread_mutex_t wheel_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t fired_cv = PTHREAD_COND_INITIALIZER;
static struct timer req_timer;
static int now_ms;

static void timer_arm(struct timer *t, int due, void (*cb)(void *), void *arg)
{
    pthread_mutex_lock(&wheel_lock);
    t->due = due;
    t->cb = cb;
    t->arg = arg;
    t->armed = 1;
    pthread_mutex_unlock(&wheel_lock);
}

static void timer_cancel(struct timer *t)
{
    pthread_mutex_lock(&wheel_lock);
    t->armed = 0;
    pthread_mutex_unlock(&wheel_lock);
}

static void wheel_tick(struct timer *t, int ms)
{
    pthread_mutex_lock(&wheel_lock);
    now_ms += ms;
    if (t->armed && t->due <= now_ms) {
        t->armed = 0;
        t->firing = 1;
        pthread_mutex_unlock(&wheel_lock);
        t->cb(t->arg);
        pthread_mutex_lock(&wheel_lock);
        t->firing = 0;
        pthread_cond_broadcast(&fired_cv);
    }
    pthread_mutex_unlock(&wheel_lock);
}

static void on_timeout(void *arg)
{
    struct request *r = arg;
    assert(r->magic == 0x5e55);
    r->timed_out = 1;
}

static void *timer_thread(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++)
        wheel_tick(&req_timer, 10);
    return NULL;
}

static void *request_thread(void *arg)
{
    struct request *r = arg;
    timer_cancel(&req_timer);
    r->magic = 0;
    free(r);
    return NULL;
}

int main(void)
{
    pthread_t t, q;
    struct request *r = calloc(1, sizeof *r);

    assert(r);
    r->magic = 0x5e55;
    timer_arm(&req_timer, 10, on_timeout, r);
    pthread_create(&t, NULL, timer_thread, NULL);
    pthread_create(&q, NULL, request_thread, r);
    pthread_join(t, NULL);
    pthread_join(q, NULL);
    assert(!req_timer.armed);
    return 0;
}
