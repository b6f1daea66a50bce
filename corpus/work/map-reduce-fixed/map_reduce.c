/* Two mappers fill in their partial results, two reducers combine them;
 * all of them meet at a barrier between the two phases. */
#include <assert.h>
#include <pthread.h>

#define NMAPPERS 2
#define NREDUCERS 2

struct job {
    pthread_barrier_t map_done;
    int partial[NMAPPERS];
    int result[NREDUCERS];
};

struct task {
    struct job *job;
    int index;
};

static void *mapper(void *arg)
{
    struct task *t = arg;
    t->job->partial[t->index] = 10 + t->index;
    pthread_barrier_wait(&t->job->map_done);
    return NULL;
}

static void *reducer(void *arg)
{
    struct task *t = arg;
    int sum = 0;

    pthread_barrier_wait(&t->job->map_done);
    for (int i = 0; i < NMAPPERS; i++)
        sum += t->job->partial[i];
    t->job->result[t->index] = sum;
    return NULL;
}

int main(void)
{
    static struct job job;
    struct task map_tasks[NMAPPERS], reduce_tasks[NREDUCERS];
    pthread_t mappers[NMAPPERS], reducers[NREDUCERS];

    pthread_barrier_init(&job.map_done, NULL, NMAPPERS + NREDUCERS);
    for (int i = 0; i < NMAPPERS; i++) {
        map_tasks[i] = (struct task){ &job, i };
        pthread_create(&mappers[i], NULL, mapper, &map_tasks[i]);
    }
    for (int i = 0; i < NREDUCERS; i++) {
        reduce_tasks[i] = (struct task){ &job, i };
        pthread_create(&reducers[i], NULL, reducer, &reduce_tasks[i]);
    }
    for (int i = 0; i < NMAPPERS; i++)
        pthread_join(mappers[i], NULL);
    for (int i = 0; i < NREDUCERS; i++)
        pthread_join(reducers[i], NULL);

    assert(job.result[0] == 21);
    assert(job.result[1] == 21);
    pthread_barrier_destroy(&job.map_done);
    return 0;
}
