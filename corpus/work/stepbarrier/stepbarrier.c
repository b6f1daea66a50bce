/* Simulation: solver threads advance in steps and meet at a home-made
   barrier after each step before they look at the neighbour's cell. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

#define SOLVERS 2
#define STEPS 2

struct step_barrier {
    pthread_mutex_t lock;
    int arrived;
    int generation;
    sem_t gate;
};

static struct step_barrier barrier;
static atomic_int cells[SOLVERS];

static void barrier_setup(struct step_barrier *b)
{
    pthread_mutex_init(&b->lock, NULL);
    b->arrived = 0;
    b->generation = 0;
    sem_init(&b->gate, 0, 0);
}

static void barrier_wait(struct step_barrier *b)
{
    pthread_mutex_lock(&b->lock);
    if (++b->arrived == SOLVERS) {
        b->arrived = 0;
        b->generation++;
        for (int i = 0; i < SOLVERS; i++)
            sem_post(&b->gate);
    }
    pthread_mutex_unlock(&b->lock);
    sem_wait(&b->gate);
}

static void solve_cell(int self, int step)
{
    usleep(100);
    atomic_store(&cells[self], step);
}

static void *solver(void *arg)
{
    int self = *(int *)arg;
    int neighbour = (self + 1) % SOLVERS;

    for (int step = 1; step <= STEPS; step++) {
        solve_cell(self, step);
        barrier_wait(&barrier);
        assert(atomic_load(&cells[neighbour]) >= step);
    }
    return NULL;
}

int main(void)
{
    int ids[SOLVERS] = { 0, 1 };
    pthread_t tid[SOLVERS];

    barrier_setup(&barrier);
    for (int i = 0; i < SOLVERS; i++)
        pthread_create(&tid[i], NULL, solver, &ids[i]);
    for (int i = 0; i < SOLVERS; i++)
        pthread_join(tid[i], NULL);
    assert(barrier.generation == STEPS);
    return 0;
}
