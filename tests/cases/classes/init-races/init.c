#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;

static void *set_up(void *unused)
{
    sem_init(&tokens, 0, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&tokens, 0, 0);
    pthread_create(&thread, 0, set_up, 0);
    int refused = sem_trywait(&tokens);
    pthread_join(thread, 0);
#ifdef FAILS
    assert(refused);
#endif
    return refused > 0;
}
