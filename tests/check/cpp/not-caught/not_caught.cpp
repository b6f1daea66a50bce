#include <pthread.h>
#include <stdexcept>

static int state;

struct Unrelated {};

static void *work(void *arg) {
    try {
        if (state == 1) {
            throw std::runtime_error("too late");
        }
    } catch (const Unrelated &) {
    }
    return arg;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, work, nullptr);
    state = 1;
    pthread_join(thread, nullptr);
}
