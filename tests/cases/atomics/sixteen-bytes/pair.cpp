// An atomic of sixteen bytes, changed by two threads with compare-and-exchange: no update is lost.
#include <atomic>
#include <cassert>
#include <pthread.h>

struct alignas(16) Pair {
    long a, b;
};
static std::atomic<Pair> pair{Pair{0, 0}};

static void *worker(void *arg) {
    Pair old = pair.load();
    while (!pair.compare_exchange_strong(old, Pair{old.a + 1, old.b - 1}))
        ;
    return arg;
}

int main() {
    pthread_t one, two;
    pthread_create(&one, nullptr, worker, nullptr);
    pthread_create(&two, nullptr, worker, nullptr);
    pthread_join(one, nullptr);
    pthread_join(two, nullptr);
    Pair end = pair.load();
    assert(end.a == 2 && end.b == -2);
    return 0;
}
