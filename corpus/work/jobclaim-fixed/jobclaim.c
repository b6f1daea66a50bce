/* Job scheduler: workers scan a table of cron jobs and run every job
   that nobody else has claimed yet. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define JOBS 3
#define WORKERS 2

enum job_state { JOB_QUEUED, JOB_RUNNING, JOB_DONE };

struct job {
    const char *name;
    atomic_int state;
    atomic_int executions;
};

static struct job table[JOBS] = {
    { "rotate-logs", JOB_QUEUED, 0 },
    { "vacuum", JOB_QUEUED, 0 },
    { "send-mail", JOB_QUEUED, 0 },
};

static bool try_claim(struct job *j)
{
    int expected = JOB_QUEUED;

    return atomic_compare_exchange_strong(&j->state, &expected, JOB_RUNNING);
}

static void run_job(struct job *j)
{
    atomic_fetch_add(&j->executions, 1);
    atomic_store(&j->state, JOB_DONE);
}

static void *worker(void *arg)
{
    (void)arg;
    for (int i = 0; i < JOBS; i++) {
        if (try_claim(&table[i]))
            run_job(&table[i]);
    }
    return NULL;
}

int main(void)
{
    pthread_t tid[WORKERS];

    for (int i = 0; i < WORKERS; i++)
        pthread_create(&tid[i], NULL, worker, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(tid[i], NULL);

    for (int i = 0; i < JOBS; i++)
        assert(atomic_load(&table[i].executions) == 1);
    return 0;
}
