#include <memory>
#include <thread>

static void use(std::shared_ptr<int> mine) {
    *mine += 1;
}

int main() {
    auto shared = std::make_shared<int>(0);
    std::thread one(use, shared), two(use, shared);
    one.join();
    two.join();
    return *shared > 2;
}
