#include <future>
#include <thread>

static int side;

static void fulfil(std::promise<int> promise) {
    promise.set_value(1);
    side = 2;
}

int main() {
    std::promise<int> promise;
    std::shared_future<int> future = promise.get_future().share();
    std::thread one(fulfil, std::move(promise));
    int sum = future.get();
    sum += side;
    one.join();
    return sum > 3;
}
