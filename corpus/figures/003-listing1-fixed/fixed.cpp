// Paper 003, Listing 1, repaired: y is accessed under the mutex, too.
// Started with pthread_create, which has no shared accesses of its own: small enough for DFS.
#include <cassert>
#include <mutex>
#include <pthread.h>

static int x = 0;
static int y = 0;
static std::mutex mutex;

static void *Thread1(void *) {
    std::lock_guard<std::mutex> lock(mutex);
    y += 1;
    x += 1;
    return nullptr;
}

static void *Thread2(void *) {
    std::lock_guard<std::mutex> lock(mutex);
    x += 1;
    y += 1;
    return nullptr;
}

int main() {
    pthread_t t1, t2;
    pthread_create(&t1, nullptr, Thread1, nullptr);
    pthread_create(&t2, nullptr, Thread2, nullptr);
    pthread_join(t1, nullptr);
    pthread_join(t2, nullptr);
    assert(x == 2);
    assert(y == 2);
    return 0;
}
