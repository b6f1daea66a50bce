#include <assert.h>
#include <pthread.h>

/* A block goes from hand to hand so often that not every time can have a name of its own; each thread also
   works on a block that nobody else touches. */
enum { SIZE = 40, TURNS = 4000 };
static int block[SIZE];
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
    static int own[SIZE];
    for (int number = 1; number <= TURNS; number++) {
        for (int i = 0; i < SIZE; i++)
            own[i] = number;
        pthread_mutex_lock(&lock);
        wait_until(0);
        for (int i = 0; i < SIZE; i++)
            block[i] = own[i];
        full = 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    static int own[SIZE];
    pthread_t filler;
    pthread_create(&filler, 0, fill, 0);
    for (int number = 1; number <= TURNS; number++) {
        pthread_mutex_lock(&lock);
        wait_until(1);
        for (int i = 0; i < SIZE; i++)
            own[i] = block[i];
        full = 0;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
        for (int i = 0; i < SIZE; i++)
            assert(own[i] == number);
    }
    pthread_join(filler, 0);
    return 0;
}
