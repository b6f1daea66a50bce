/* Bounded channel of messages with one condition variable. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define CAP 1
#define PER_PRODUCER 2

struct channel {
    pthread_mutex_t m;
    pthread_cond_t changed;
    int buf[CAP];
    int head, count;
};

static struct channel ch = {
    .m = PTHREAD_MUTEX_INITIALIZER,
    .changed = PTHREAD_COND_INITIALIZER,
};

static void channel_send(struct channel *c, int v)
{
    pthread_mutex_lock(&c->m);
    while (c->count == CAP)
        pthread_cond_wait(&c->changed, &c->m);
    c->buf[(c->head + c->count) % CAP] = v;
    c->count++;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->m);
}

static int channel_recv(struct channel *c)
{
    int v;

    pthread_mutex_lock(&c->m);
    while (c->count == 0)
        pthread_cond_wait(&c->changed, &c->m);
    v = c->buf[c->head];
    c->head = (c->head + 1) % CAP;
    c->count--;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->m);
    return v;
}

static int sums[2];

static void *producer(void *arg)
{
    int base = *(int *)arg;
    for (int i = 0; i < PER_PRODUCER; i++)
        channel_send(&ch, base + i);
    return NULL;
}

static void *consumer(void *arg)
{
    int *sum = arg;
    for (int i = 0; i < PER_PRODUCER; i++)
        *sum += channel_recv(&ch);
    return NULL;
}

int main(void)
{
    pthread_t p[2], c[2];
    int base[2] = { 10, 20 };

    for (int i = 0; i < 2; i++) {
        pthread_create(&c[i], NULL, consumer, &sums[i]);
        pthread_create(&p[i], NULL, producer, &base[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(p[i], NULL);
        pthread_join(c[i], NULL);
    }
    assert(sums[0] + sums[1] == 10 + 11 + 20 + 21);
    assert(ch.count == 0);
    puts("drained");
    return 0;
}
