// What exceptions and threads of C++ count: the library frees a text and the exception itself.
// (What it allocates to word a system_error of its own is its business: not counted, so not here.)
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

struct Refused : std::out_of_range {
    int number;
    explicit Refused(int number) : std::out_of_range("refused"), number(number) {}
};

static std::mutex guard;
static int left = 1, refused, numbers;

static void take() {
    std::lock_guard<std::mutex> hold(guard);
    if (left == 0) {
        throw Refused(7);
    }
    left--;
}

static void buy() {
    try {
        try {
            take();
        } catch (const std::logic_error &) {
            refused++;
            throw;
        }
    } catch (const Refused &one) {
        numbers += one.number;
    } catch (...) {
        numbers = -1;
    }
}

int main() {
    std::thread one(buy), two(buy);
    one.join();
    two.join();
    try {
        throw 3;
    } catch (int three) {
        numbers += three;
    }
    return numbers == 10 && refused == 1 ? 0 : 1;
}
