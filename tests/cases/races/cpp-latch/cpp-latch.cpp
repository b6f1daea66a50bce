#include <latch>
#include <thread>

static int parts[2];

int main() {
    std::latch done(2);
    auto work = [&](int me) {
        parts[me] = me + 1;
        done.count_down();
    };
    std::thread one(work, 0), two(work, 1);
    done.wait();
    int sum = parts[0] + parts[1];
    parts[0] = 0;
    one.join();
    two.join();
    return sum != 3;
}
