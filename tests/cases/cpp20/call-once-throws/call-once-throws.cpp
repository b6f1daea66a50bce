// Who saw the first attempt fail tries again.
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int tries, done;

static void make() {
    std::call_once(flag, [] {
        if (++tries == 1)
            throw 1;
        done++;
    });
}

static void work() {
    try {
        make();
    } catch (int) {
        make();
    }
}

int main() {
    std::thread one(work);
    work();
    one.join();
    assert(done == 1);
    return 0;
}
