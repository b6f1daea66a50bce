#include <cassert>
#include <pthread.h>
#include <stdexcept>

static int told;

static void refuse(int n) {
    char text[3] = {'n', static_cast<char>('0' + n), 0};
    throw std::runtime_error(text);
}

static void *work(void *arg) {
    try {
        refuse(3);
    } catch (const std::exception &refused) {
        told += refused.what()[1] == '3';
    }
    return arg;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, work, nullptr);
    pthread_join(thread, nullptr);
    assert(told == 1);
}
