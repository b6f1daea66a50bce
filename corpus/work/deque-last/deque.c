/* Work-stealing deque (Chase-Lev in outline): the owner works at the
 * bottom, thieves take from the top. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define SIZE 8
#define TASKS 2
#define EMPTY (-1)

struct deque {
    atomic_int top;
    atomic_int bottom;
    atomic_int slot[SIZE];
};

static struct deque dq;
static atomic_int runs[TASKS];

static void dq_push(struct deque *d, int task)
{
    int b = atomic_load(&d->bottom);
    atomic_store(&d->slot[b % SIZE], task);
    atomic_store(&d->bottom, b + 1);
}

static int dq_pop(struct deque *d)
{
    int b = atomic_load(&d->bottom) - 1;
    int t, task;

    atomic_store(&d->bottom, b);
    t = atomic_load(&d->top);
    if (t > b) {
        atomic_store(&d->bottom, t);
        return EMPTY;
    }
    task = atomic_load(&d->slot[b % SIZE]);
    if (t == b) {
        atomic_store(&d->top, t + 1);
        atomic_store(&d->bottom, b + 1);
    }
    return task;
}

static int dq_steal(struct deque *d)
{
    int t = atomic_load(&d->top);
    int b = atomic_load(&d->bottom);
    int task;

    if (t >= b)
        return EMPTY;
    task = atomic_load(&d->slot[t % SIZE]);
    if (!atomic_compare_exchange_strong(&d->top, &t, t + 1))
        return EMPTY;
    return task;
}

static void run_task(int task)
{
    atomic_fetch_add(&runs[task], 1);
}

static void *owner(void *arg)
{
    int task;
    (void)arg;
    for (int i = 0; i < TASKS; i++)
        dq_push(&dq, i);
    while ((task = dq_pop(&dq)) != EMPTY)
        run_task(task);
    return NULL;
}

static void *thief(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        int task = dq_steal(&dq);
        if (task != EMPTY)
            run_task(task);
    }
    return NULL;
}

int main(void)
{
    pthread_t o, t;

    pthread_create(&o, NULL, owner, NULL);
    pthread_create(&t, NULL, thief, NULL);
    pthread_join(o, NULL);
    pthread_join(t, NULL);
    for (int i = 0; i < TASKS; i++)
        assert(atomic_load(&runs[i]) == 1);
    return 0;
}
