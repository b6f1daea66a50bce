#include <pthread.h>
#include <stdlib.h>

struct shared { pthread_mutex_t lock; int users; };

static void release(struct shared *s) {
    pthread_mutex_lock(&s->lock);
    s->users--;
    int left = s->users;
    pthread_mutex_unlock(&s->lock);
    if (left <= 1)
        free(s);
}

static void *work(void *arg) {
    release(arg);
    return 0;
}

int main(void) {
    struct shared *s = malloc(sizeof *s);
    if (!s)
        return 0;
    pthread_mutex_init(&s->lock, 0);
    s->users = 3;
    pthread_t thread;
    pthread_create(&thread, 0, work, s);
    release(s);
    release(s);
    pthread_join(thread, 0);
    return 0;
}
