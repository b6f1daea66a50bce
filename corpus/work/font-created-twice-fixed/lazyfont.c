/* Lazily created glyph table shared by all renderer threads. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define GLYPHS 4

struct font {
    int glyph_width[GLYPHS];
    atomic_int users;
};

static _Atomic(struct font *) default_font;
static pthread_mutex_t font_lock = PTHREAD_MUTEX_INITIALIZER;
static int fonts_loaded;

static struct font *font_load(void)
{
    struct font *f = malloc(sizeof *f);
    assert(f);
    for (int i = 0; i < GLYPHS; i++)
        f->glyph_width[i] = 8 + i;
    atomic_init(&f->users, 0);
    fonts_loaded++;
    return f;
}

static struct font *font_default(void)
{
    struct font *f = atomic_load(&default_font);

    if (f == NULL) {
        pthread_mutex_lock(&font_lock);
        f = atomic_load(&default_font);
        if (f == NULL) {
            f = font_load();
            atomic_store(&default_font, f);
        }
        pthread_mutex_unlock(&font_lock);
    }
    return f;
}

static int text_width(const int *codes, int n)
{
    struct font *f = font_default();
    int w = 0;

    atomic_fetch_add(&f->users, 1);
    for (int i = 0; i < n; i++)
        w += f->glyph_width[codes[i]];
    return w;
}

struct job {
    int codes[2];
    int width;
};

static void *render(void *arg)
{
    struct job *j = arg;
    j->width = text_width(j->codes, 2);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    struct job jobs[2] = { { { 0, 1 }, 0 }, { { 2, 3 }, 0 } };
    struct font *f;

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, render, &jobs[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(jobs[0].width == 17);
    assert(jobs[1].width == 21);
    f = atomic_load(&default_font);
    assert(atomic_load(&f->users) == 2);
    assert(fonts_loaded == 1);
    free(f);
    return 0;
}
