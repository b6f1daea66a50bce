#include <atomic>
#include <cassert>
#include <pthread.h>
#include <thread>

static std::atomic<bool> taken;
static std::atomic<int> stage;
static int data;

static void lock() {
    bool expected = false;
    while (!taken.compare_exchange_weak(expected, true)) {
        expected = false;
        std::this_thread::yield();
    }
}

static void *run(void *) {
    while (stage.load() != 1) {
    }
    lock();
    assert(data == 1);
    taken.store(false);
    return nullptr;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, run, nullptr);
    lock();
    stage.store(1);
    data = 1;
    taken.store(false);
    pthread_join(thread, nullptr);
}
