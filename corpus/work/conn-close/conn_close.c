/* A network connection served by a reader and a writer thread; whoever
 * sees the end of the stream first closes it and frees its buffer. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct conn {
    pthread_mutex_t lock;
    int bytes_in;
    int bytes_out;
    int closed;
    char *buf;
};

static struct conn conn = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void conn_close(struct conn *c)
{
    if (c->closed)
        return;
    c->closed = 1;
    free(c->buf);
}

static void conn_account(struct conn *c, int in, int out)
{
    pthread_mutex_lock(&c->lock);
    c->bytes_in += in;
    c->bytes_out += out;
    pthread_mutex_unlock(&c->lock);
}

static void *reader(void *arg)
{
    struct conn *c = arg;
    conn_account(c, 100, 0);
    conn_close(c);
    return NULL;
}

static void *writer(void *arg)
{
    struct conn *c = arg;
    conn_account(c, 0, 50);
    conn_close(c);
    return NULL;
}

int main(void)
{
    pthread_t rd, wr;

    conn.buf = malloc(64);
    pthread_create(&rd, NULL, reader, &conn);
    pthread_create(&wr, NULL, writer, &conn);
    pthread_join(rd, NULL);
    pthread_join(wr, NULL);

    assert(conn.closed);
    assert(conn.bytes_in == 100 && conn.bytes_out == 50);
    return 0;
}
