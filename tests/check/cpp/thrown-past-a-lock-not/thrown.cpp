#include <cassert>
#include <pthread.h>
#include <stdexcept>

struct Guard {
    pthread_mutex_t *lock;
    explicit Guard(pthread_mutex_t *lock) : lock(lock) { pthread_mutex_lock(lock); }
    ~Guard() { pthread_mutex_unlock(lock); }
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left = 1, refused;

static void take() {
    Guard hold(&lock);
    if (left == 0) {
        throw std::out_of_range("nothing is left");
    }
    left--;
}

static void *buy(void *arg) {
    try {
        take();
    } catch (const std::logic_error &) {
        Guard hold(&lock);
        refused++;
    }
    return arg;
}

int main() {
    pthread_t one, two;
    pthread_create(&one, nullptr, buy, nullptr);
    pthread_create(&two, nullptr, buy, nullptr);
    pthread_join(one, nullptr);
    pthread_join(two, nullptr);
    assert(left == 0 && refused == 1);
}
