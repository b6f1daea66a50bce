/* Reader/writer gate with two condition variables, writers preferred. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

struct gate {
    pthread_mutex_t m;
    pthread_cond_t can_read;
    pthread_cond_t can_write;
    int readers;
    int writer;
    int writers_waiting;
};

static struct gate g = {
    .m = PTHREAD_MUTEX_INITIALIZER,
    .can_read = PTHREAD_COND_INITIALIZER,
    .can_write = PTHREAD_COND_INITIALIZER,
};
static int table_a, table_b;

static void gate_read_enter(struct gate *x)
{
    pthread_mutex_lock(&x->m);
    while (x->writer || x->writers_waiting > 0)
        pthread_cond_wait(&x->can_read, &x->m);
    x->readers++;
    pthread_mutex_unlock(&x->m);
}

static void gate_read_leave(struct gate *x)
{
    pthread_mutex_lock(&x->m);
    if (--x->readers == 0)
        pthread_cond_signal(&x->can_write);
    pthread_mutex_unlock(&x->m);
}

static void gate_write_enter(struct gate *x)
{
    pthread_mutex_lock(&x->m);
    x->writers_waiting++;
    while (x->writer || x->readers > 0)
        pthread_cond_wait(&x->can_write, &x->m);
    x->writers_waiting--;
    x->writer = 1;
    pthread_mutex_unlock(&x->m);
}

static void gate_write_leave(struct gate *x)
{
    pthread_mutex_lock(&x->m);
    x->writer = 0;
    if (x->writers_waiting > 0)
        pthread_cond_signal(&x->can_write);
    else
        pthread_cond_broadcast(&x->can_read);
    pthread_mutex_unlock(&x->m);
}

static void *reader(void *arg)
{
    (void)arg;
    gate_read_enter(&g);
    assert(table_a == table_b);
    gate_read_leave(&g);
    return NULL;
}

static void *writer(void *arg)
{
    (void)arg;
    gate_write_enter(&g);
    table_a++;
    table_b++;
    gate_write_leave(&g);
    return NULL;
}

int main(void)
{
    pthread_t w[2], r;

    pthread_create(&w[0], NULL, writer, NULL);
    pthread_create(&w[1], NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(w[i], NULL);
    pthread_join(r, NULL);
    assert(table_a == 2 && table_b == 2);
    return 0;
}
