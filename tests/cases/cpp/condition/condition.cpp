// std::condition_variable with a predicate: the waiter always gets the flag.
// Started with pthread_create, whose steps can be counted.
#include <condition_variable>
#include <mutex>
#include <pthread.h>

static std::mutex m;
static std::condition_variable c;
static bool ready;

static void *producer(void *) {
    std::lock_guard<std::mutex> guard(m);
    ready = true;
    c.notify_one();
    return nullptr;
}

int main() {
    pthread_t t;
    pthread_create(&t, nullptr, producer, nullptr);
    {
        std::unique_lock<std::mutex> lock(m);
        while (!ready)
            c.wait(lock);
    }
    pthread_join(t, nullptr);
    return 0;
}
