#include <semaphore>
#include <thread>

static std::counting_semaphore<1> unit(1);
static int guarded;

static void change(int by) {
    bool mine = unit.try_acquire();
    guarded += by;
    if (mine)
        unit.release();
}

int main() {
    std::thread one(change, 1), two(change, 2);
    one.join();
    two.join();
    return 0;
}
