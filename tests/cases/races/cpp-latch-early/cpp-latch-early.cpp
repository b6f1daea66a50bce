#include <latch>
#include <thread>

static int part;
static std::latch done(1);

static void work() {
    done.count_down();
    part = 1;
}

int main() {
    std::thread one(work);
    done.wait();
    int seen = part;
    one.join();
    return seen > 1;
}
