// std::mutex with lock_guard: no update is lost.
// The threads are started with pthread_create, whose steps can be counted.
#include <cassert>
#include <mutex>
#include <pthread.h>

static int x;
static std::mutex m;

static void *worker(void *) {
    std::lock_guard<std::mutex> guard(m);
    x++;
    return nullptr;
}

int main() {
    pthread_t one, two;
    pthread_create(&one, nullptr, worker, nullptr);
    pthread_create(&two, nullptr, worker, nullptr);
    pthread_join(one, nullptr);
    pthread_join(two, nullptr);
    assert(x == 2);
    return 0;
}
