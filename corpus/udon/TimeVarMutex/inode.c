/* A file system's inode and its block: one thread takes the block where the inode has none, one
 * clears a block that nobody uses. Which lock guards the block depends on whether it is in use. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m_inode = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m_busy = PTHREAD_MUTEX_INITIALIZER;
static int block, busy, inode;

static void *allocator(void *arg) {
    pthread_mutex_lock(&m_inode);
    if (inode == 0) {
#ifdef BAD /* while the other looks at it */
        busy = 1;
#else
        pthread_mutex_lock(&m_busy);
        busy = 1;
        pthread_mutex_unlock(&m_busy);
#endif
        inode = 1;
    }
    block = 1;
    assert(block == 1);
    pthread_mutex_unlock(&m_inode);
    return arg;
}

static void *de_allocator(void *arg) {
    pthread_mutex_lock(&m_busy);
    if (busy == 0) {
        block = 0;
        assert(block == 0);
    }
    pthread_mutex_unlock(&m_busy);
    return arg;
}

int main(void) {
    pthread_t one, two;
    inode = busy;
    pthread_create(&one, NULL, allocator, NULL);
    pthread_create(&two, NULL, de_allocator, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
