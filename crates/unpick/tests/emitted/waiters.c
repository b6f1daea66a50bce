#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int tokens, order, first_done;

struct job {
    int number, result;
};

static void *wait_for_one(void *arg) {
    struct job *job = arg;
    pthread_mutex_lock(&lock);
    if (tokens == 0)
        pthread_cond_wait(&change, &lock);
    tokens--;
    job->result = ++order;
    if (job->number == 1)
        first_done = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    struct job jobs[2] = { { 1, 0 }, { 2, 0 } };
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, wait_for_one, &jobs[i]);
    pthread_mutex_lock(&lock);
    tokens = 2;
    pthread_cond_signal(&change);
    pthread_cond_signal(&change);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(jobs[0].result < jobs[1].result);
    return 0;
}
