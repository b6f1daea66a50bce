#include <cassert>
#include <pthread.h>
#include <stdexcept>
static int hits;
static void *work(void *arg) {
    try { throw std::runtime_error("no"); } catch (const std::exception &) { hits++; }
    return arg;
}
int main() {
    pthread_t a, b;
    pthread_create(&a, nullptr, work, nullptr);
    pthread_create(&b, nullptr, work, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    try { throw 3; } catch (int) { hits += 0; }
    assert(hits == 2);
}
