/* Key-value store with optimistic updates: a client reads a record, changes
   it and writes it back if its version is still the same, else retries. */
#include <assert.h>
#include <pthread.h>

#define KEYS 2
#define CLIENTS 2

struct record {
    unsigned version;
    int value;
};

struct store {
    pthread_mutex_t lock;
    struct record records[KEYS];
};

static struct store store = { PTHREAD_MUTEX_INITIALIZER, { { 1, 0 }, { 1, 0 } } };

static struct record store_get(struct store *s, int key)
{
    pthread_mutex_lock(&s->lock);
    struct record r = s->records[key];
    pthread_mutex_unlock(&s->lock);
    return r;
}

static int store_put_if(struct store *s, int key, unsigned version, int value)
{
    struct record *r = &s->records[key];

    pthread_mutex_lock(&s->lock);
    if (r->version != version)
        return -1;
    r->value = value;
    r->version++;
    pthread_mutex_unlock(&s->lock);
    return 0;
}

static void add_to_key(struct store *s, int key, int amount)
{
    struct record r;

    do {
        r = store_get(s, key);
    } while (store_put_if(s, key, r.version, r.value + amount) != 0);
}

static void *client(void *arg)
{
    int amount = *(int *)arg;

    for (int key = 0; key < KEYS; key++)
        add_to_key(&store, key, amount);
    return NULL;
}

int main(void)
{
    int amounts[CLIENTS] = { 5, 7 };
    pthread_t tid[CLIENTS];

    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&tid[i], NULL, client, &amounts[i]);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(tid[i], NULL);

    for (int key = 0; key < KEYS; key++)
        assert(store.records[key].value == 12);
    return 0;
}
