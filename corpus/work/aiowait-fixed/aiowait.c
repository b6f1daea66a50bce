/* Asynchronous I/O layer: a device thread completes read requests that
   client threads have submitted and wait for. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define REQUESTS 2

struct aio_request {
    pthread_mutex_t lock;
    pthread_cond_t completed;
    atomic_int done;
    char buffer[8];
};

static struct aio_request requests[REQUESTS];

static void aio_init(struct aio_request *r)
{
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->completed, NULL);
    atomic_init(&r->done, 0);
}

static void aio_complete(struct aio_request *r, const char *data)
{
    strncpy(r->buffer, data, sizeof r->buffer - 1);
    pthread_mutex_lock(&r->lock);
    atomic_store(&r->done, 1);
    pthread_cond_signal(&r->completed);
    pthread_mutex_unlock(&r->lock);
}

static void aio_wait(struct aio_request *r)
{
    pthread_mutex_lock(&r->lock);
    while (!atomic_load(&r->done))
        pthread_cond_wait(&r->completed, &r->lock);
    pthread_mutex_unlock(&r->lock);
}

static void *device(void *arg)
{
    (void)arg;
    for (int i = 0; i < REQUESTS; i++)
        aio_complete(&requests[i], i == 0 ? "alpha" : "beta");
    return NULL;
}

static void *client(void *arg)
{
    struct aio_request *r = arg;

    aio_wait(r);
    assert(r->buffer[0] == 'a' || r->buffer[0] == 'b');
    return NULL;
}

int main(void)
{
    pthread_t dev, clients[REQUESTS];

    for (int i = 0; i < REQUESTS; i++)
        aio_init(&requests[i]);
    for (int i = 0; i < REQUESTS; i++)
        pthread_create(&clients[i], NULL, client, &requests[i]);
    pthread_create(&dev, NULL, device, NULL);
    for (int i = 0; i < REQUESTS; i++)
        pthread_join(clients[i], NULL);
    pthread_join(dev, NULL);
    return 0;
}
