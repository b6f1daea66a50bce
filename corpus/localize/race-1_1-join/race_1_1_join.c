#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct device {
    int id;
};

struct driver {
    pthread_mutex_t lock;
    struct device dev;
    struct {
        int a, b;
    } shared;
};

static pthread_t thread;

static void *callback(void *arg) {
    struct device *dev = arg;
    struct driver *data = (struct driver *)((char *)dev - offsetof(struct driver, dev));
    pthread_mutex_lock(&data->lock);
    data->shared.a = 1;
    data->shared.b = data->shared.b + 1;
    pthread_mutex_unlock(&data->lock);
    return NULL;
}

static void probe(struct driver *data) {
    pthread_mutex_init(&data->lock, NULL);
    data->shared.a = 0;
    data->shared.b = 0;
    pthread_create(&thread, NULL, callback, &data->dev);
}

static void disconnect(struct driver *data) {
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&data->lock);
}

int main(void) {
    struct driver *data = malloc(sizeof *data);
    if (data == NULL)
        return 0;
    probe(data);
    assert(data->shared.a == 1);
    assert(data->shared.b == 1);
    disconnect(data);
    free(data);
    return 0;
}
