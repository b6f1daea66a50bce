/* Game engine: input threads post events to the event queue; the game loop
   takes them, handles them and frees them. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define INPUTS 2

struct event {
    struct event *next;
    int kind;
    int weight;
};

struct event_queue {
    pthread_mutex_t lock;
    pthread_cond_t posted;
    struct event *head;
};

struct input_device {
    struct event_queue *queue;
    int kind;
    int posted_weight;
};

static void queue_push(struct event_queue *q, struct event *e)
{
    pthread_mutex_lock(&q->lock);
    e->next = q->head;
    q->head = e;
    pthread_cond_signal(&q->posted);
    pthread_mutex_unlock(&q->lock);
}

static struct event *queue_pop(struct event_queue *q)
{
    pthread_mutex_lock(&q->lock);
    while (!q->head)
        pthread_cond_wait(&q->posted, &q->lock);
    struct event *e = q->head;
    q->head = e->next;
    pthread_mutex_unlock(&q->lock);
    return e;
}

static void post_event(struct input_device *dev)
{
    struct event *e = malloc(sizeof *e);

    e->kind = dev->kind;
    e->weight = 10 * dev->kind;
    dev->posted_weight += e->weight;
    queue_push(dev->queue, e);
}

static void *input_thread(void *arg)
{
    post_event(arg);
    return NULL;
}

static void *game_loop(void *arg)
{
    for (int i = 0; i < INPUTS; i++) {
        struct event *e = queue_pop(arg);
        assert(e->kind == 1 || e->kind == 2);
        free(e);
    }
    return NULL;
}

int main(void)
{
    struct event_queue queue = {
        PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL
    };
    struct input_device devs[INPUTS] = { { &queue, 1, 0 }, { &queue, 2, 0 } };
    pthread_t game, input[INPUTS];

    for (int i = 0; i < INPUTS; i++)
        pthread_create(&input[i], NULL, input_thread, &devs[i]);
    pthread_create(&game, NULL, game_loop, &queue);
    for (int i = 0; i < INPUTS; i++)
        pthread_join(input[i], NULL);
    pthread_join(game, NULL);
    assert(devs[0].posted_weight + devs[1].posted_weight == 30);
    return 0;
}
