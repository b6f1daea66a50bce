// Cancelling unwinds: destructors run, and the guard unlocks.
#include <cassert>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>

static std::mutex m;
static sem_t s;
static int destroyed;

struct Noisy {
    ~Noisy() { destroyed++; }
};

static void *worker(void *) {
    Noisy noisy;
    std::lock_guard<std::mutex> guard(m);
    sem_wait(&s);
    return nullptr;
}

int main() {
    pthread_t t;
    void *value;
    sem_init(&s, 0, 0);
    pthread_create(&t, nullptr, worker, nullptr);
    pthread_cancel(t);
    pthread_join(t, &value);
    assert(value == PTHREAD_CANCELED);
    assert(destroyed == 1);
    m.lock();
    m.unlock();
    return 0;
}
