/* File system: writers allocate data blocks for their files from a shared
   free-block bitmap. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define NBLOCKS 8
#define BLOCKS_PER_FILE 2
#define FILES 2

struct volume {
    pthread_mutex_t lock;
    uint8_t bitmap;
};

struct file {
    struct volume *vol;
    int blocks[BLOCKS_PER_FILE];
};

static int find_free(struct volume *v, int hint)
{
    int found = -1;

    pthread_mutex_lock(&v->lock);
    for (int i = 0; i < NBLOCKS && found < 0; i++) {
        int b = (hint + i) % NBLOCKS;
        if (!(v->bitmap & (1u << b)))
            found = b;
    }
    pthread_mutex_unlock(&v->lock);
    return found;
}

static void mark_used(struct volume *v, int block)
{
    pthread_mutex_lock(&v->lock);
    v->bitmap |= (uint8_t)(1u << block);
    pthread_mutex_unlock(&v->lock);
}

static int alloc_block(struct volume *v, int hint)
{
    int block = find_free(v, hint);

    if (block >= 0)
        mark_used(v, block);
    return block;
}

static void *writer(void *arg)
{
    struct file *f = arg;
    int hint = 0;

    for (int i = 0; i < BLOCKS_PER_FILE; i++) {
        f->blocks[i] = alloc_block(f->vol, hint);
        assert(f->blocks[i] >= 0);
        hint = f->blocks[i] + 1;
    }
    return NULL;
}

int main(void)
{
    struct volume vol = { PTHREAD_MUTEX_INITIALIZER, 0x01 };
    struct file files[FILES] = { { &vol, { 0 } }, { &vol, { 0 } } };
    pthread_t tid[FILES];
    unsigned seen = 0x01;

    for (int i = 0; i < FILES; i++)
        pthread_create(&tid[i], NULL, writer, &files[i]);
    for (int i = 0; i < FILES; i++)
        pthread_join(tid[i], NULL);

    for (int i = 0; i < FILES; i++) {
        for (int k = 0; k < BLOCKS_PER_FILE; k++) {
            unsigned bit = 1u << files[i].blocks[k];
            assert((seen & bit) == 0);
            seen |= bit;
        }
    }
    return 0;
}
