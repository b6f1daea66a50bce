#include <cassert>
#include <pthread.h>

class Guard {
    pthread_mutex_t *lock;

public:
    explicit Guard(pthread_mutex_t *l) : lock(l) { pthread_mutex_lock(lock); }
    ~Guard() { pthread_mutex_unlock(lock); }
};

class Pair {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int a = 0, b = 0;

public:
    void step() {
        Guard guard(&lock);
        a++;
        b++;
    }
    bool even() {
        Guard guard(&lock);
        return a == b;
    }
};

static Pair shared;

static void *work(void *arg) {
    shared.step();
    return arg;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, work, nullptr);
    bool even = shared.even();
    assert(even);
    pthread_join(thread, nullptr);
    return 0;
}
