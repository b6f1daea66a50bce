/* Media player: the user seeks while the video thread renders the frame
   under the play head and checks it against the media clock. */
#include <assert.h>
#include <pthread.h>

#define FRAME_MS 40

struct playhead {
    pthread_mutex_t lock;
    long frame;
    long time_ms;
};

struct player {
    struct playhead head;
    long rendered;
};

static void set_frame(struct playhead *h, long frame)
{
    pthread_mutex_lock(&h->lock);
    h->frame = frame;
    pthread_mutex_unlock(&h->lock);
}

static void set_time(struct playhead *h, long ms)
{
    pthread_mutex_lock(&h->lock);
    h->time_ms = ms;
    pthread_mutex_unlock(&h->lock);
}

static void player_seek(struct player *p, long frame)
{
    set_frame(&p->head, frame);
    set_time(&p->head, frame * FRAME_MS);
}

static void render_next(struct player *p)
{
    struct playhead *h = &p->head;

    pthread_mutex_lock(&h->lock);
    assert(h->time_ms == h->frame * FRAME_MS);
    h->frame++;
    h->time_ms += FRAME_MS;
    p->rendered++;
    pthread_mutex_unlock(&h->lock);
}

static void *video_thread(void *arg)
{
    struct player *p = arg;

    for (int i = 0; i < 3; i++)
        render_next(p);
    return NULL;
}

static void *ui_thread(void *arg)
{
    struct player *p = arg;

    player_seek(p, 250);
    return NULL;
}

int main(void)
{
    struct player player = { { PTHREAD_MUTEX_INITIALIZER, 0, 0 }, 0 };
    pthread_t video, ui;

    pthread_create(&video, NULL, video_thread, &player);
    pthread_create(&ui, NULL, ui_thread, &player);
    pthread_join(video, NULL);
    pthread_join(ui, NULL);
    assert(player.rendered == 3);
    return 0;
}
