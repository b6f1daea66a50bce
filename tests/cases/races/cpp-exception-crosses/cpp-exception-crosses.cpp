#include <exception>
#include <future>
#include <thread>

struct Trouble {
    int code;
};
static int noted;

int main() {
    std::promise<void> promise;
    auto future = promise.get_future();
    std::thread one([&] {
        noted = 7;
        promise.set_exception(std::make_exception_ptr(Trouble{3}));
    });
    int code = 0;
    try {
        future.get();
    } catch (const Trouble &trouble) {
        code = trouble.code + noted;
    }
    one.join();
    return code != 10;
}
