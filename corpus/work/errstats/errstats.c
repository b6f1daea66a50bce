/* HTTP server: connection threads handle a few requests each and keep
   common statistics of requests, bytes and errors. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#define CONNECTIONS 3
#define REQUESTS 2

struct stats {
    pthread_mutex_t lock;
    int requests;
    int errors;
    long bytes_out;
};

struct connection {
    struct stats *stats;
    const char *requests[REQUESTS];
};

static int request_valid(const char *line)
{
    return strncmp(line, "GET /", 5) == 0;
}

static void handle_request(struct stats *st, const char *line)
{
    pthread_mutex_lock(&st->lock);
    st->requests++;
    if (!request_valid(line)) {
        pthread_mutex_unlock(&st->lock);
        st->errors++;
        return;
    }
    st->bytes_out += (long)strlen(line);
    pthread_mutex_unlock(&st->lock);
}

static void *serve(void *arg)
{
    struct connection *c = arg;

    for (int i = 0; i < REQUESTS; i++)
        handle_request(c->stats, c->requests[i]);
    return NULL;
}

int main(void)
{
    struct stats stats = { PTHREAD_MUTEX_INITIALIZER, 0, 0, 0 };
    struct connection conns[CONNECTIONS] = {
        { &stats, { "GET /", "FOO" } },
        { &stats, { "GET /a", "BAR" } },
        { &stats, { "GET /b", "GET /c" } },
    };
    pthread_t tid[CONNECTIONS];

    for (int i = 0; i < CONNECTIONS; i++)
        pthread_create(&tid[i], NULL, serve, &conns[i]);
    for (int i = 0; i < CONNECTIONS; i++)
        pthread_join(tid[i], NULL);

    assert(stats.requests == CONNECTIONS * REQUESTS);
    assert(stats.bytes_out == 5 + 3 * 6);
    assert(stats.errors == 2);
    return 0;
}
