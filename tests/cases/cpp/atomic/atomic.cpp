// std::atomic: fetch_add is one step.
// Started with pthread_create, whose steps can be counted.
#include <atomic>
#include <cassert>
#include <pthread.h>

static std::atomic<int> x;

static void *worker(void *) {
    x.fetch_add(1);
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
