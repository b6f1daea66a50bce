#include <barrier>
#include <thread>

static int left, right;
static std::barrier<> meet(2);

static void careful() {
    left = 1;
    meet.arrive_and_wait();
    right = 2;
}

static void hasty() {
    right = 1;
    (void)meet.arrive();
    left = 2;
}

int main() {
    std::thread one(careful), two(hasty);
    one.join();
    two.join();
    return 0;
}
