// Agents sell seats. Whether there is one left and selling it are two steps.
#include <assert.h>
#include <pthread.h>

#ifndef AGENTS
#define AGENTS 5
#endif
#ifndef SEATS
#define SEATS 4
#endif

static int sold;
static int stop;

static void *sell(void *arg) {
    if (!stop) {
        int seat = sold;
        if (seat < SEATS)
            sold = sold + 1;
        if (seat + 1 >= SEATS)
            stop = 1;
    }
    return arg;
}

int main(void) {
    pthread_t agents[AGENTS];
    for (int i = 0; i < AGENTS; i++)
        pthread_create(&agents[i], NULL, sell, NULL);
    for (int i = 0; i < AGENTS; i++)
        pthread_join(agents[i], NULL);
    assert(sold <= SEATS);
    return 0;
}
