#include <atomic>
#include <thread>

static int plain;

static void add() {
    std::atomic_ref<int> shared(plain);
    shared.fetch_add(1, std::memory_order_relaxed);
}

int main() {
    plain = 1;
    std::thread one(add), two(add);
    int seen = std::atomic_ref<int>(plain).load();
    one.join();
    two.join();
    return plain != 3 || seen > 3;
}
