/* Actor runtime: every actor runs on its own thread, takes the messages
   from its mailbox and adds them up. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define ACTORS 2

struct mailbox {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    int has_message;
    int message;
};

struct actor {
    pthread_t thread;
    struct mailbox *mailbox;
    int sum;
};

static struct mailbox *mailbox_new(void)
{
    struct mailbox *mb = calloc(1, sizeof *mb);
    pthread_mutex_init(&mb->lock, NULL);
    pthread_cond_init(&mb->arrived, NULL);
    return mb;
}

static void mailbox_send(struct mailbox *mb, int message)
{
    pthread_mutex_lock(&mb->lock);
    mb->message = message;
    mb->has_message = 1;
    pthread_cond_signal(&mb->arrived);
    pthread_mutex_unlock(&mb->lock);
}

static int mailbox_receive(struct mailbox *mb)
{
    pthread_mutex_lock(&mb->lock);
    while (!mb->has_message)
        pthread_cond_wait(&mb->arrived, &mb->lock);
    mb->has_message = 0;
    int message = mb->message;
    pthread_mutex_unlock(&mb->lock);
    return message;
}

static void *actor_run(void *arg)
{
    struct actor *self = arg;

    self->sum += mailbox_receive(self->mailbox);
    return NULL;
}

static void actor_start(struct actor *a)
{
    a->sum = 0;
    pthread_create(&a->thread, NULL, actor_run, a);
    a->mailbox = mailbox_new();
}

static void actor_stop(struct actor *a)
{
    pthread_join(a->thread, NULL);
    free(a->mailbox);
}

int main(void)
{
    static struct actor actors[ACTORS];
    int total = 0;

    for (int i = 0; i < ACTORS; i++)
        actor_start(&actors[i]);
    for (int i = 0; i < ACTORS; i++)
        mailbox_send(actors[i].mailbox, i + 1);
    for (int i = 0; i < ACTORS; i++) {
        actor_stop(&actors[i]);
        total += actors[i].sum;
    }
    assert(total == 3);
    return 0;
}
