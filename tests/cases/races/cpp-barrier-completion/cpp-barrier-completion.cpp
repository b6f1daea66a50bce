#include <barrier>
#include <thread>

static int cells[2], sum;

static void add_up() noexcept {
    sum = cells[0] + cells[1];
}

int main() {
    std::barrier<void (*)() noexcept> meet(2, add_up);
    auto work = [&](int me) {
        cells[me] = me + 1;
        meet.arrive_and_wait();
        cells[me] = sum;
    };
    std::thread one(work, 0);
    work(1);
    one.join();
    return cells[0] != 3;
}
