// A thread-local object is destroyed before its thread has ended.
#include <cassert>
#include <pthread.h>

static int live;

struct Counted {
    Counted() { live++; }
    ~Counted() { live--; }
    int value = 1;
};

thread_local Counted counted;

static void *worker(void *) {
    counted.value = 2;
    return nullptr;
}

int main() {
    pthread_t t;
    pthread_create(&t, nullptr, worker, nullptr);
    pthread_join(t, nullptr);
    assert(live == 0);
    return 0;
}
