/* A device request ring protected by a small spin lock. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

struct spinlock {
    atomic_int locked;
};

struct device {
    struct spinlock lock;
    int requests;
    int completions;
};

static struct device dev;

static void spin_lock(struct spinlock *l)
{
    while (atomic_load(&l->locked))
        sched_yield();
    atomic_store(&l->locked, 1);
}

static void spin_unlock(struct spinlock *l)
{
    atomic_store(&l->locked, 0);
}

static void device_submit(struct device *d)
{
    spin_lock(&d->lock);
    d->requests++;
    spin_unlock(&d->lock);
}

static void device_complete(struct device *d)
{
    spin_lock(&d->lock);
    if (d->requests > 0) {
        d->requests--;
        d->completions++;
    }
    spin_unlock(&d->lock);
}

static void *submitter(void *arg)
{
    device_submit(arg);
    return NULL;
}

static void *irq_handler(void *arg)
{
    device_complete(arg);
    return NULL;
}

int main(void)
{
    pthread_t sub[2], irq;

    pthread_create(&sub[0], NULL, submitter, &dev);
    pthread_create(&irq, NULL, irq_handler, &dev);
    pthread_create(&sub[1], NULL, submitter, &dev);
    pthread_join(sub[0], NULL);
    pthread_join(irq, NULL);
    pthread_join(sub[1], NULL);

    assert(dev.requests + dev.completions == 2);
    return 0;
}
