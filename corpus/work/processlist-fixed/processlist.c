/* Database server: sessions run queries while an administrator thread
   lists what every session is doing at the moment. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#define SESSIONS 2

struct session {
    int id;
    _Atomic(const char *) query;
    pthread_t thread;
};

static struct session sessions[SESSIONS];

static void query_start(struct session *s, const char *text)
{
    atomic_store(&s->query, text);
}

static void query_end(struct session *s)
{
    atomic_store(&s->query, NULL);
}

static void *session_main(void *arg)
{
    struct session *s = arg;

    query_start(s, s->id == 0 ? "SELECT 1" : "COMMIT");
    query_end(s);
    return NULL;
}

static size_t session_describe(struct session *s, char *out, size_t cap)
{
    size_t n = 0;

    const char *query = atomic_load(&s->query);

    if (query != NULL) {
        n = strlen(query);
        if (n >= cap)
            n = cap - 1;
    }
    memset(out, '#', n);
    out[n] = '\0';
    return n;
}

static void *show_processlist(void *arg)
{
    char line[16];
    (void)arg;

    for (int i = 0; i < SESSIONS; i++) {
        size_t n = session_describe(&sessions[i], line, sizeof line);
        assert(n < sizeof line);
    }
    return NULL;
}

int main(void)
{
    pthread_t admin;

    for (int i = 0; i < SESSIONS; i++) {
        sessions[i].id = i;
        pthread_create(&sessions[i].thread, NULL, session_main, &sessions[i]);
    }
    pthread_create(&admin, NULL, show_processlist, NULL);
    for (int i = 0; i < SESSIONS; i++)
        pthread_join(sessions[i].thread, NULL);
    pthread_join(admin, NULL);
    return 0;
}
