// std::atomic with the increment taken apart into a load and a store.
// Fails where an update is lost: there is no data race.
#include <atomic>
#include <cassert>
#include <pthread.h>

static std::atomic<int> x;

static void *worker(void *) {
    int old = x.load();
    x.store(old + 1);
    return nullptr;
}

int main() {
    pthread_t one, two;
    pthread_create(&one, nullptr, worker, nullptr);
    pthread_create(&two, nullptr, worker, nullptr);
    pthread_join(one, nullptr);
    pthread_join(two, nullptr);
    assert(x.load() == 2);
    return 0;
}
