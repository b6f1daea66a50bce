/* Ledger with one lock per account. Transfers take the lower id first. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define NACC 3

struct account {
    int id;
    long balance;
    int frozen;
    pthread_mutex_t lock;
};

static struct account acc[NACC];

static void lock_pair(struct account *a, struct account *b)
{
    if (a->id < b->id) {
        pthread_mutex_lock(&a->lock);
        pthread_mutex_lock(&b->lock);
    } else {
        pthread_mutex_lock(&b->lock);
        pthread_mutex_lock(&a->lock);
    }
}

static void unlock_pair(struct account *a, struct account *b)
{
    pthread_mutex_unlock(&a->lock);
    pthread_mutex_unlock(&b->lock);
}

static int transfer(struct account *from, struct account *to, long amount)
{
    int done = 0;

    lock_pair(from, to);
    if (!from->frozen && from->balance >= amount) {
        from->balance -= amount;
        to->balance += amount;
        done = 1;
    }
    unlock_pair(from, to);
    return done;
}

/* Close an account: what is left goes to the successor account. */
static void close_account(struct account *a, struct account *successor)
{
    lock_pair(a, successor);
    a->frozen = 1;
    if (a->balance > 0) {
        successor->balance += a->balance;
        a->balance = 0;
    }
    unlock_pair(a, successor);
}

static void *teller(void *arg)
{
    (void)arg;
    transfer(&acc[0], &acc[1], 10);
    transfer(&acc[2], &acc[0], 5);
    return NULL;
}

static void *closer(void *arg)
{
    (void)arg;
    close_account(&acc[2], &acc[0]);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    long sum = 0;

    for (int i = 0; i < NACC; i++) {
        acc[i].id = i;
        acc[i].balance = 100;
        pthread_mutex_init(&acc[i].lock, NULL);
    }
    pthread_create(&t1, NULL, teller, NULL);
    pthread_create(&t2, NULL, closer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    for (int i = 0; i < NACC; i++)
        sum += acc[i].balance;
    assert(sum == 300);
    assert(acc[2].balance == 0);
    printf("sum %ld\n", sum);
    return 0;
}
