/* Buffered access log: request threads append short records to a memory
 * buffer, a flusher thread writes the buffer out. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

struct access_log {
    pthread_mutex_t lock;
    char buf[16];
    size_t len;
    size_t written;
};

static struct access_log alog = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void log_append(struct access_log *l, const char *rec, size_t n)
{
    pthread_mutex_lock(&l->lock);
    size_t off = l->len;
    l->len += n;
    memcpy(l->buf + off, rec, n);
    pthread_mutex_unlock(&l->lock);
}

static void log_flush(struct access_log *l)
{
    pthread_mutex_lock(&l->lock);
    for (size_t i = 0; i < l->len; i++) {
        assert(l->buf[i] != '\0');
        l->buf[i] = '\0';
    }
    l->written += l->len;
    l->len = 0;
    pthread_mutex_unlock(&l->lock);
}

static void *request_thread(void *arg)
{
    log_append(&alog, arg, 2);
    return NULL;
}

static void *flush_thread(void *arg)
{
    (void)arg;
    log_flush(&alog);
    return NULL;
}

int main(void)
{
    pthread_t req[2], flusher;

    pthread_create(&req[0], NULL, request_thread, "a\n");
    pthread_create(&req[1], NULL, request_thread, "b\n");
    pthread_create(&flusher, NULL, flush_thread, NULL);
    pthread_join(req[0], NULL);
    pthread_join(req[1], NULL);
    pthread_join(flusher, NULL);

    log_flush(&alog);
    assert(alog.written == 4);
    return 0;
}
