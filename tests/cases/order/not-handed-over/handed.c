#include <assert.h>
#include <pthread.h>

/* Blocks of 4000 bytes go from hand to hand, but the filler goes on with the block that it has announced. */
enum { SIZE = 4000, BLOCKS = 3 };
static unsigned char block[SIZE];
static int full;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void wait_until(int wanted)
{
    while (full != wanted)
        pthread_cond_wait(&changed, &lock);
}

static void *fill(void *unused)
{
    for (int number = 1; number <= BLOCKS; number++) {
        pthread_mutex_lock(&lock);
        wait_until(0);
        full = 1;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
        for (int i = 0; i < SIZE; i++)
            block[i] = (unsigned char)number;
    }
    return unused;
}

int main(void)
{
    pthread_t filler;
    pthread_create(&filler, 0, fill, 0);
    for (int number = 1; number <= BLOCKS; number++) {
        pthread_mutex_lock(&lock);
        wait_until(1);
        int sum = 0;
        for (int i = 0; i < SIZE; i++)
            sum += block[i];
        assert(sum == number * SIZE);
        full = 0;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(filler, 0);
    return 0;
}
