// The routine of call_once throws the first time and is run again by the same call in a loop.
#include <cassert>
#include <mutex>
#include <stdexcept>

static std::once_flag flag;
static int tries;

static void routine() {
    if (++tries == 1)
        throw std::runtime_error("not yet");
}

int main() {
    for (int i = 0; i < 2; i++) {
        try {
            std::call_once(flag, routine);
        } catch (const std::runtime_error &) {
        }
    }
    assert(tries == 2);
}
