/* stress SEED ERROR: three threads allocate, fill, check, move and free blocks of all sizes, at random but
 * the same for a seed. ERROR 0: nothing is wrong; else one of them makes that mistake at some moment. */
#define _GNU_SOURCE
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE, READ_FREED, WRITE_FREED, COPY_FREED, FREE_TWICE, READ_BEHIND, WRITE_BEFORE, COPY_BEHIND, FREE_INSIDE, OLD_AFTER_MOVE, LOCK_FREED };
enum { SLOTS = 24, STEPS = 300, THREADS = 3 };

struct slot {
    unsigned char *block;
    size_t size;
    unsigned char seed;
};

struct worker {
    uint64_t random;
    int error, moment;
    struct slot slots[SLOTS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot handed_over;

static uint64_t draw(struct worker *w, uint64_t below) {
    w->random = w->random * 6364136223846793005u + 1442695040888963407u;
    return (w->random >> 33) % below;
}

static size_t some_size(struct worker *w) {
    switch (draw(w, 8)) {
    case 0: return draw(w, 5);
    case 1: return 1000 + draw(w, 20000);
    case 2: return draw(w, 20) == 0 ? 100000 + draw(w, 3000000) : 64;
    default: return draw(w, 300);
    }
}

static void fill(struct slot *slot) {
    for (size_t i = 0; i < slot->size; i += slot->size > 5000 ? 997 : 1)
        slot->block[i] = (unsigned char)(slot->seed + i);
    if (slot->size)
        slot->block[slot->size - 1] = slot->seed;
}

static void check(const struct slot *slot, size_t upto) {
    for (size_t i = 0; i + 1 < upto; i += slot->size > 5000 ? 997 : 1)
        assert(slot->block[i] == (unsigned char)(slot->seed + i));
}

static void get(struct worker *w, struct slot *slot) {
    size_t size = slot->size = some_size(w);
    slot->seed = (unsigned char)draw(w, 256);
    switch (draw(w, 6)) {
    case 0: slot->block = calloc(1, size); break;
    case 1: slot->block = memalign(16u << draw(w, 8), size); break;
    case 2: slot->block = realloc(NULL, size); break;
    case 3: {
        char text[64];
        memset(text, 'x', sizeof text);
        text[size = slot->size = draw(w, 63)] = 0;
        slot->block = (unsigned char *)strdup(text);
        slot->size = size + 1;
        break;
    }
    default: slot->block = malloc(size);
    }
    assert(slot->block);
    fill(slot);
}

static void resize(struct worker *w, struct slot *slot) {
    size_t size = some_size(w) + 1, kept = size < slot->size ? size : slot->size;
    slot->block = realloc(slot->block, size);
    assert(slot->block);
    check(slot, kept);
    slot->size = size;
    fill(slot);
}

static void drop(struct slot *slot) {
    check(slot, slot->size);
    free(slot->block);
    slot->block = NULL;
}

static void step(struct worker *w) {
    struct slot *slot = &w->slots[draw(w, SLOTS)];
    if (!slot->block)
        get(w, slot);
    else
        switch (draw(w, 6)) {
        case 0: resize(w, slot); break;
        case 1: check(slot, slot->size); break;
        case 2: {
            /* What is handed over is freed by whoever takes it. */
            pthread_mutex_lock(&lock);
            struct slot theirs = handed_over;
            handed_over = *slot;
            *slot = theirs;
            pthread_mutex_unlock(&lock);
            break;
        }
        default: drop(slot);
        }
}

static void mistake(struct worker *w) {
    static char sink[4096];
    size_t size = 8 + draw(w, 2000);
    unsigned char *block = malloc(size), *old = block;
    memset(block, 1, size);
    int freed = w->error <= FREE_TWICE || w->error == LOCK_FREED;
    if (freed) {
        free(block);
        for (int i = (int)draw(w, 20); i > 0; i--)
            step(w);
    }
    switch (w->error) {
    case READ_FREED: sink[0] = (char)block[draw(w, size)]; break;
    case WRITE_FREED: ((volatile uint64_t *)block)[draw(w, size / 8)] = 1; break;
    case COPY_FREED: memcpy(sink, block, size); break;
    case FREE_TWICE: free(block); break;
    case READ_BEHIND: sink[0] = (char)block[size + draw(w, 16)]; break;
    case WRITE_BEFORE: block[-1 - (int)draw(w, 8)] = 1; break;
    case COPY_BEHIND: memset(block, 2, size + 1 + draw(w, 8)); break;
    case FREE_INSIDE: free(block + 1 + draw(w, size - 1)); break;
    case OLD_AFTER_MOVE:
        block = realloc(block, 2 * size + 64);
        sink[0] = (char)old[draw(w, size)];
        break;
    case LOCK_FREED: pthread_mutex_trylock((pthread_mutex_t *)block); break;
    }
    printf("the mistake went unnoticed\n");
}

static void *work(void *argument) {
    struct worker *w = argument;
    for (int i = 0; i < STEPS; i++) {
        if (w->error && i == w->moment)
            mistake(w);
        step(w);
    }
    for (int i = 0; i < SLOTS; i++)
        if (w->slots[i].block)
            drop(&w->slots[i]);
    return NULL;
}

int main(int count, char **arguments) {
    assert(count == 3);
    static struct worker workers[THREADS];
    pthread_t threads[THREADS];
    struct worker first = {.random = strtoull(arguments[1], NULL, 10)};
    int error = atoi(arguments[2]), chosen = (int)draw(&first, THREADS);
    for (int i = 0; i < THREADS; i++) {
        workers[i].random = first.random + (uint64_t)i * 77;
        if (i == chosen && error != NONE) {
            workers[i].error = error;
            workers[i].moment = (int)draw(&first, STEPS);
        }
        pthread_create(&threads[i], NULL, work, &workers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    free(handed_over.block);
    return 0;
}
