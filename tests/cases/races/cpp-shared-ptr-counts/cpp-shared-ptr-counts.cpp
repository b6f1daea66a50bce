#include <memory>
#include <thread>

struct Object {
    int parts[2] = {0, 0};
    int *sum;
    ~Object() { *sum = parts[0] + parts[1]; }
};

int main() {
    int sum = 0;
    auto object = std::make_shared<Object>();
    object->sum = &sum;
    auto work = [](std::shared_ptr<Object> mine, int at) { mine->parts[at] = at + 1; };
    std::thread one(work, object, 0), two(work, std::move(object), 1);
    one.join();
    two.join();
    return sum != 3;
}
