#include <future>
#include <thread>

static int side;

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread one([&] {
        side = 2;
        promise.set_value(1);
    });
    int sum = future.get();
    sum += side++;
    one.join();
    return sum != 3;
}
