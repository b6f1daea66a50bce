/* File system: appenders grow an inode block by block while an online
   checker verifies that the size is covered by allocated blocks. */
#include <assert.h>
#include <pthread.h>

#define BLOCK_SIZE 512
#define APPENDS 2

struct superblock {
    pthread_mutex_t lock;
    int free_blocks;
};

struct inode {
    pthread_mutex_t lock;
    struct superblock *sb;
    long size;
    int blocks;
};

static int sb_reserve_block(struct superblock *sb)
{
    int ok = 0;

    pthread_mutex_lock(&sb->lock);
    if (sb->free_blocks > 0) {
        sb->free_blocks--;
        ok = 1;
    }
    pthread_mutex_unlock(&sb->lock);
    return ok;
}

static int inode_append(struct inode *ino)
{
    if (!sb_reserve_block(ino->sb))
        return -1;

    pthread_mutex_lock(&ino->lock);
    ino->size += BLOCK_SIZE;
    ino->blocks++;
    pthread_mutex_unlock(&ino->lock);
    return 0;
}

static void *appender(void *arg)
{
    for (int i = 0; i < APPENDS; i++)
        assert(inode_append(arg) == 0);
    return NULL;
}

static void *checker(void *arg)
{
    struct inode *ino = arg;

    pthread_mutex_lock(&ino->lock);
    assert(ino->size <= (long)ino->blocks * BLOCK_SIZE);
    pthread_mutex_unlock(&ino->lock);
    return NULL;
}

int main(void)
{
    struct superblock sb = { PTHREAD_MUTEX_INITIALIZER, 8 };
    struct inode ino = { PTHREAD_MUTEX_INITIALIZER, &sb, 0, 0 };
    pthread_t app[2], fsck;

    pthread_create(&app[0], NULL, appender, &ino);
    pthread_create(&app[1], NULL, appender, &ino);
    pthread_create(&fsck, NULL, checker, &ino);
    pthread_join(app[0], NULL);
    pthread_join(app[1], NULL);
    pthread_join(fsck, NULL);

    assert(ino.blocks == 2 * APPENDS);
    assert(sb.free_blocks == 8 - 2 * APPENDS);
    return 0;
}
