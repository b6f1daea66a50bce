/* A table of logged-in users; clients log in and, if that worked, log out
 * again. A second login of the same user is refused. */
#include <assert.h>
#include <pthread.h>

#define MAX_SESSIONS 4

struct session_table {
    pthread_mutex_t lock;
    int uids[MAX_SESSIONS];
    int count;
};

static struct session_table sessions = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int session_login(struct session_table *t, int uid)
{
    pthread_mutex_lock(&t->lock);
    for (int i = 0; i < t->count; i++) {
        if (t->uids[i] == uid)
            return -1;
    }
    t->uids[t->count++] = uid;
    pthread_mutex_unlock(&t->lock);
    return 0;
}

static void session_logout(struct session_table *t, int uid)
{
    pthread_mutex_lock(&t->lock);
    for (int i = 0; i < t->count; i++) {
        if (t->uids[i] == uid) {
            t->uids[i] = t->uids[--t->count];
            break;
        }
    }
    pthread_mutex_unlock(&t->lock);
}

static void *client(void *arg)
{
    int uid = *(int *)arg;
    if (session_login(&sessions, uid) == 0)
        session_logout(&sessions, uid);
    return NULL;
}

int main(void)
{
    pthread_t laptop, phone;
    int uid = 1001;

    pthread_create(&laptop, NULL, client, &uid);
    pthread_create(&phone, NULL, client, &uid);
    pthread_join(laptop, NULL);
    pthread_join(phone, NULL);

    assert(sessions.count == 0);
    return 0;
}
