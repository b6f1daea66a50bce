/* Service manager: services run on their own threads, report their result to
   a monitor and deregister; shutdown waits for those that are still registered. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define SERVICES 2

struct registry;

struct service {
    struct registry *reg;
    pthread_t thread;
    bool active;
    bool joined;
};

struct registry {
    pthread_mutex_t lock;
    struct service services[SERVICES];
    pthread_mutex_t result_lock;
    pthread_cond_t result_ready;
    int results;
};

static void report_result(struct registry *reg)
{
    pthread_mutex_lock(&reg->result_lock);
    reg->results++;
    pthread_cond_signal(&reg->result_ready);
    pthread_mutex_unlock(&reg->result_lock);
}

static void deregister(struct service *s)
{
    pthread_mutex_lock(&s->reg->lock);
    s->active = false;
    pthread_mutex_unlock(&s->reg->lock);
}

static void *service_main(void *arg)
{
    struct service *s = arg;

    report_result(s->reg);
    deregister(s);
    return NULL;
}

static void *monitor_main(void *arg)
{
    struct registry *reg = arg;

    pthread_mutex_lock(&reg->result_lock);
    while (reg->results < SERVICES)
        pthread_cond_wait(&reg->result_ready, &reg->result_lock);
    pthread_mutex_unlock(&reg->result_lock);
    return NULL;
}

static void registry_shutdown(struct registry *reg)
{
    pthread_mutex_lock(&reg->lock);
    for (int i = 0; i < SERVICES; i++) {
        struct service *s = &reg->services[i];
        if (s->active) {
            pthread_join(s->thread, NULL);
            s->joined = true;
        }
    }
    pthread_mutex_unlock(&reg->lock);
}

int main(void)
{
    static struct registry reg;
    pthread_t monitor;

    pthread_mutex_init(&reg.lock, NULL);
    pthread_mutex_init(&reg.result_lock, NULL);
    pthread_cond_init(&reg.result_ready, NULL);
    for (int i = 0; i < SERVICES; i++) {
        struct service *s = &reg.services[i];
        s->reg = &reg;
        s->active = true;
        pthread_create(&s->thread, NULL, service_main, s);
    }

    pthread_create(&monitor, NULL, monitor_main, &reg);
    pthread_join(monitor, NULL);

    registry_shutdown(&reg);
    for (int i = 0; i < SERVICES; i++)
        if (!reg.services[i].joined)
            pthread_join(reg.services[i].thread, NULL);
    assert(!reg.services[0].active && !reg.services[1].active);
    return 0;
}
