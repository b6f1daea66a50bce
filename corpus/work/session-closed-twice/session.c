/* Session objects own a descriptor; both the reader side and the idle
 * reaper may tear a session down. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define MAXFD 4

enum state { OPEN, CLOSED };

static int fd_open[MAXFD];
static pthread_mutex_t fd_lock = PTHREAD_MUTEX_INITIALIZER;

static int sys_open(void)
{
    int fd = -1;
    pthread_mutex_lock(&fd_lock);
    for (int i = 0; i < MAXFD; i++)
        if (!fd_open[i]) {
            fd_open[i] = 1;
            fd = i;
            break;
        }
    pthread_mutex_unlock(&fd_lock);
    return fd;
}

static int sys_close(int fd)
{
    int rc = -1;
    pthread_mutex_lock(&fd_lock);
    if (fd >= 0 && fd < MAXFD && fd_open[fd]) {
        fd_open[fd] = 0;
        rc = 0;
    }
    pthread_mutex_unlock(&fd_lock);
    return rc;
}

struct session {
    pthread_mutex_t lock;
    enum state state;
    int fd;
    int pending;
};

static enum state session_state(struct session *s)
{
    enum state st;
    pthread_mutex_lock(&s->lock);
    st = s->state;
    pthread_mutex_unlock(&s->lock);
    return st;
}

static void session_close(struct session *s)
{
    int fd, rc;

    if (session_state(s) == CLOSED)
        return;
    pthread_mutex_lock(&s->lock);
    fd = s->fd;
    s->state = CLOSED;
    s->pending = 0;
    pthread_mutex_unlock(&s->lock);
    rc = sys_close(fd);
    assert(rc == 0);
}

static void *on_hangup(void *arg)
{
    session_close(arg);
    return NULL;
}

static void *idle_reaper(void *arg)
{
    struct session *s = arg;
    int idle;

    pthread_mutex_lock(&s->lock);
    idle = s->pending == 0;
    pthread_mutex_unlock(&s->lock);
    if (idle)
        session_close(s);
    return NULL;
}

int main(void)
{
    struct session s = { .state = OPEN, .pending = 0 };
    pthread_t a, b;

    pthread_mutex_init(&s.lock, NULL);
    s.fd = sys_open();
    pthread_create(&a, NULL, on_hangup, &s);
    pthread_create(&b, NULL, idle_reaper, &s);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(session_state(&s) == CLOSED);
    return 0;
}
