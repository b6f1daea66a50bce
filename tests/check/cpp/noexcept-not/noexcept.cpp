#include <stdexcept>
#include <thread>

static int looked;

static void look(int x) {
    if (x > 0 && looked > 0) {
        throw std::runtime_error("looked twice");
    }
    looked++;
}

static void quiet(int x)  { look(x); }

int main() {
    std::thread one([] {
        try {
            quiet(1);
        } catch (std::runtime_error &) {
        }
    });
    try {
        quiet(1);
    } catch (std::runtime_error &) {
    }
    one.join();
}
