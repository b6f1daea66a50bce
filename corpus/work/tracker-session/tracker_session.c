/* A download session with an event thread and a peer thread that both
 * charge transferred bytes to the session's bandwidth account. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct bandwidth {
    pthread_mutex_t lock;
    int limit;
    int used;
};

struct session {
    pthread_t event_thread;
    struct bandwidth *bandwidth;
};

static struct bandwidth *bandwidth_new(int limit)
{
    struct bandwidth *b = malloc(sizeof *b);
    pthread_mutex_init(&b->lock, NULL);
    b->limit = limit;
    b->used = 0;
    return b;
}

static void bandwidth_charge(struct bandwidth *b, int bytes)
{
    pthread_mutex_lock(&b->lock);
    b->used += bytes;
    assert(b->used <= b->limit);
    pthread_mutex_unlock(&b->lock);
}

static void *event_loop(void *arg)
{
    struct session *s = arg;
    for (int tick = 0; tick < 2; tick++)
        bandwidth_charge(s->bandwidth, 10);
    return NULL;
}

static void *peer_loop(void *arg)
{
    struct session *s = arg;
    bandwidth_charge(s->bandwidth, 5);
    return NULL;
}

static struct session *session_new(int limit)
{
    struct session *s = calloc(1, sizeof *s);
    pthread_create(&s->event_thread, NULL, event_loop, s);
    s->bandwidth = bandwidth_new(limit);
    return s;
}

static void session_free(struct session *s)
{
    pthread_join(s->event_thread, NULL);
    assert(s->bandwidth->used == 25);
    pthread_mutex_destroy(&s->bandwidth->lock);
    free(s->bandwidth);
    free(s);
}

int main(void)
{
    pthread_t peer;
    struct session *s = session_new(100);

    pthread_create(&peer, NULL, peer_loop, s);
    pthread_join(peer, NULL);
    session_free(s);
    return 0;
}
