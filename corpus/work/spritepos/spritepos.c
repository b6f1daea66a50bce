/* Game engine: the physics thread moves an entity along a diagonal while
   render threads fetch its position to draw it. */
#include <assert.h>
#include <pthread.h>

#define STEPS 2
#define RENDERERS 2

struct entity {
    pthread_mutex_t lock;
    int x, y;
};

struct camera {
    struct entity *target;
    int screen_x, screen_y;
};

static int entity_x(struct entity *e)
{
    pthread_mutex_lock(&e->lock);
    int x = e->x;
    pthread_mutex_unlock(&e->lock);
    return x;
}

static int entity_y(struct entity *e)
{
    pthread_mutex_lock(&e->lock);
    int y = e->y;
    pthread_mutex_unlock(&e->lock);
    return y;
}

static void entity_move(struct entity *e, int dx, int dy)
{
    pthread_mutex_lock(&e->lock);
    e->x += dx;
    e->y += dy;
    pthread_mutex_unlock(&e->lock);
}

static void draw_entity(struct camera *cam)
{
    cam->screen_x = entity_x(cam->target);
    cam->screen_y = entity_y(cam->target);
}

static void *physics(void *arg)
{
    for (int i = 0; i < STEPS; i++)
        entity_move(arg, 3, 3);
    return NULL;
}

static void *renderer(void *arg)
{
    struct camera *cam = arg;

    draw_entity(cam);
    assert(cam->screen_x == cam->screen_y);
    return NULL;
}

int main(void)
{
    struct entity ball = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };
    struct camera cams[RENDERERS] = { { &ball, 0, 0 }, { &ball, 0, 0 } };
    pthread_t phys, render[RENDERERS];

    pthread_create(&phys, NULL, physics, &ball);
    for (int i = 0; i < RENDERERS; i++)
        pthread_create(&render[i], NULL, renderer, &cams[i]);
    pthread_join(phys, NULL);
    for (int i = 0; i < RENDERERS; i++)
        pthread_join(render[i], NULL);
    assert(ball.x == 3 * STEPS && ball.y == 3 * STEPS);
    return 0;
}
