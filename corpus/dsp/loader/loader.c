// A table is loaded by whoever needs it first; it is said to be loaded before it is.
#include <assert.h>
#include <pthread.h>

#ifndef USERS
#define USERS 3
#endif
#ifndef ENTRIES
#define ENTRIES 8
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int loaded;
static int table[ENTRIES];

static void load(void) {
    pthread_mutex_lock(&lock);
    if (!loaded) {
        loaded = 1;
        for (int i = 0; i < ENTRIES; i++)
            table[i] = i + 1;
    }
    pthread_mutex_unlock(&lock);
}

static void *user(void *arg) {
    long me = (long)arg;
    if (!loaded)
        load();
    int sum = 0;
    for (int i = 0; i <= me; i++)
        sum += table[ENTRIES - 1 - i];
    assert(sum == (me + 1) * (2 * ENTRIES - me) / 2);
    return NULL;
}

int main(void) {
    pthread_t users[USERS];
    for (long i = 0; i < USERS; i++)
        pthread_create(&users[i], NULL, user, (void *)i);
    for (int i = 0; i < USERS; i++)
        pthread_join(users[i], NULL);
    return 0;
}
