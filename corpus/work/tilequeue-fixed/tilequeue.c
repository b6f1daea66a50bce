/* Ray tracer: tracer threads put finished tiles into a bounded queue from
   which the display thread takes them. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define CAPACITY 2
#define TRACERS 3

struct tile {
    int x, y;
    int colour;
};

struct tile_queue {
    pthread_mutex_t lock;
    sem_t free_slots;
    sem_t filled;
    struct tile ring[CAPACITY];
    int in, out;
};

static struct tile_queue queue;
static int displayed;

static void queue_init(struct tile_queue *q)
{
    pthread_mutex_init(&q->lock, NULL);
    sem_init(&q->free_slots, 0, CAPACITY);
    sem_init(&q->filled, 0, 0);
    q->in = q->out = 0;
}

static void tile_put(struct tile_queue *q, struct tile t)
{
    sem_wait(&q->free_slots);
    pthread_mutex_lock(&q->lock);
    q->ring[q->in] = t;
    q->in = (q->in + 1) % CAPACITY;
    pthread_mutex_unlock(&q->lock);
    sem_post(&q->filled);
}

static struct tile tile_take(struct tile_queue *q)
{
    sem_wait(&q->filled);
    pthread_mutex_lock(&q->lock);
    struct tile t = q->ring[q->out];
    q->out = (q->out + 1) % CAPACITY;
    pthread_mutex_unlock(&q->lock);
    sem_post(&q->free_slots);
    return t;
}

static void *tracer(void *arg)
{
    int column = *(int *)arg;
    struct tile t = { column, 0, 100 + column };

    tile_put(&queue, t);
    return NULL;
}

static void *display(void *arg)
{
    (void)arg;
    for (int i = 0; i < TRACERS; i++) {
        struct tile t = tile_take(&queue);
        assert(t.colour == 100 + t.x);
        displayed++;
    }
    return NULL;
}

int main(void)
{
    int columns[TRACERS] = { 0, 1, 2 };
    pthread_t disp, tid[TRACERS];

    queue_init(&queue);
    pthread_create(&disp, NULL, display, NULL);
    for (int i = 0; i < TRACERS; i++)
        pthread_create(&tid[i], NULL, tracer, &columns[i]);
    for (int i = 0; i < TRACERS; i++)
        pthread_join(tid[i], NULL);
    pthread_join(disp, NULL);
    assert(displayed == TRACERS);
    return 0;
}
