// Transfers lock the account that they take from, not the one that they give to.
#include <assert.h>
#include <pthread.h>

#ifndef TELLERS
#define TELLERS 3
#endif
#ifndef TRANSFERS
#define TRANSFERS 2
#endif
#define ACCOUNTS 2

static struct account {
    pthread_mutex_t lock;
    int balance;
} accounts[ACCOUNTS] = {
    {PTHREAD_MUTEX_INITIALIZER, 100},
    {PTHREAD_MUTEX_INITIALIZER, 100},
};

static void transfer(struct account *from, struct account *to, int amount) {
    pthread_mutex_lock(&from->lock);
    from->balance = from->balance - amount;
    to->balance = to->balance + amount;
    pthread_mutex_unlock(&from->lock);
}

static void *teller(void *arg) {
    long me = (long)arg;
    for (int i = 0; i < TRANSFERS; i++)
        transfer(&accounts[me % ACCOUNTS], &accounts[(me + 1) % ACCOUNTS], 10);
    return NULL;
}

int main(void) {
    pthread_t tellers[TELLERS];
    for (long i = 0; i < TELLERS; i++)
        pthread_create(&tellers[i], NULL, teller, (void *)i);
    for (int i = 0; i < TELLERS; i++)
        pthread_join(tellers[i], NULL);
    assert(accounts[0].balance + accounts[1].balance == 200);
    return 0;
}
