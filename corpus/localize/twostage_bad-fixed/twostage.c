#include <assert.h>
#include <pthread.h>

#define FILLERS 8

struct cell {
    pthread_mutex_t first_lock, second_lock;
    int first, second;
};

static struct cell cells[FILLERS];

static void *fill(void *arg) {
    struct cell *c = arg;
    pthread_mutex_lock(&c->first_lock);
    c->first = 1;
    pthread_mutex_lock(&c->second_lock);
    c->second = c->first + 1;
    pthread_mutex_unlock(&c->second_lock);
    pthread_mutex_unlock(&c->first_lock);
    return 0;
}

static void *look(void *arg) {
    for (int i = 0; i < FILLERS; i++) {
        struct cell *c = &cells[i];
        pthread_mutex_lock(&c->first_lock);
        int first = c->first;
        pthread_mutex_unlock(&c->first_lock);
        if (first == 0)
            continue;
        pthread_mutex_lock(&c->second_lock);
        int second = c->second;
        pthread_mutex_unlock(&c->second_lock);
        assert(second == first + 1);
    }
    return arg;
}

int main(void) {
    pthread_t fillers[FILLERS], looker;
    for (int i = 0; i < FILLERS; i++) {
        pthread_mutex_init(&cells[i].first_lock, NULL);
        pthread_mutex_init(&cells[i].second_lock, NULL);
    }
    for (int i = 0; i < FILLERS; i++)
        pthread_create(&fillers[i], NULL, fill, &cells[i]);
    pthread_create(&looker, NULL, look, NULL);
    for (int i = 0; i < FILLERS; i++)
        pthread_join(fillers[i], NULL);
    pthread_join(looker, NULL);
    return 0;
}
