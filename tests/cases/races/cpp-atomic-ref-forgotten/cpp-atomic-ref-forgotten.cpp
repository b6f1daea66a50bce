#include <atomic>
#include <thread>

static long plain;

static void add() {
    std::atomic_ref<long> shared(plain);
    long now = shared.load();
    if (now < 5)
        now++;
    plain = now;
}

int main() {
    std::thread one(add), two(add);
    one.join();
    two.join();
    return 0;
}
