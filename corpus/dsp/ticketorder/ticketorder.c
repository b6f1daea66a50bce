// Agents order tickets until there are none. How many are left is looked up under the lock, but taken under another hold of it.
#include <assert.h>
#include <pthread.h>

#ifndef AGENTS
#define AGENTS 3
#endif
#ifndef TICKETS
#define TICKETS 6
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left = TICKETS;
static int orders;

static int look(void) {
    pthread_mutex_lock(&lock);
    int now = left;
    pthread_mutex_unlock(&lock);
    return now;
}

static void *agent(void *arg) {
    while (look() > 0) {
        pthread_mutex_lock(&lock);
        left = left - 1;
        orders = orders + 1;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t agents[AGENTS];
    for (int i = 0; i < AGENTS; i++)
        pthread_create(&agents[i], NULL, agent, NULL);
    for (int i = 0; i < AGENTS; i++)
        pthread_join(agents[i], NULL);
    assert(left == 0);
    return 0;
}
