/* A ring of events: producers push under a lock, a single reader pops
 * without it; events that find the ring full are dropped. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define RING_SIZE 2

struct event_ring {
    pthread_mutex_t push_lock;
    atomic_int slots[RING_SIZE];
    atomic_uint head;
    atomic_uint tail;
};

static struct event_ring ring = { .push_lock = PTHREAD_MUTEX_INITIALIZER };

static int ring_push(struct event_ring *r, int event)
{
    int stored = 0;

    pthread_mutex_lock(&r->push_lock);
    unsigned head = atomic_load(&r->head);
    if (head - atomic_load(&r->tail) < RING_SIZE) {
        atomic_store(&r->slots[head % RING_SIZE], event);
        atomic_store(&r->head, head + 1);
        stored = 1;
    }
    pthread_mutex_unlock(&r->push_lock);
    return stored;
}

static int ring_pop(struct event_ring *r)
{
    unsigned tail = atomic_load(&r->tail);
    if (tail == atomic_load(&r->head))
        return 0;
    int event = atomic_load(&r->slots[tail % RING_SIZE]);
    atomic_store(&r->tail, tail + 1);
    return event;
}

static void *keyboard(void *arg)
{
    int *sent = arg;
    for (int key = 1; key <= 2; key++)
        if (ring_push(&ring, key))
            *sent += key;
    return NULL;
}

static void *mouse(void *arg)
{
    int *sent = arg;
    if (ring_push(&ring, 100))
        *sent += 100;
    return NULL;
}

static void *reader(void *arg)
{
    int *received = arg;
    for (int i = 0; i < 2; i++)
        *received += ring_pop(&ring);
    return NULL;
}

int main(void)
{
    pthread_t kbd, mou, rd;
    int sent_kbd = 0, sent_mouse = 0, received = 0, event;

    pthread_create(&mou, NULL, mouse, &sent_mouse);
    pthread_create(&rd, NULL, reader, &received);
    pthread_create(&kbd, NULL, keyboard, &sent_kbd);
    pthread_join(kbd, NULL);
    pthread_join(rd, NULL);
    pthread_join(mou, NULL);

    while ((event = ring_pop(&ring)) != 0)
        received += event;
    assert(received == sent_kbd + sent_mouse);
    return 0;
}
