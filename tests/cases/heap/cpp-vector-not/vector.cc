// One thread walks a vector while another appends to it; both hold the lock.
#include <mutex>
#include <thread>
#include <vector>

std::vector<int> numbers{1, 2, 3};
std::mutex lock;
int sum;

void walk() {
    std::lock_guard<std::mutex> guard(lock);
    for (int number : numbers)
        sum += number;
}

int main() {
    std::thread walker(walk);
    {
        std::lock_guard<std::mutex> guard(lock);
        numbers.push_back(4);
    }
    walker.join();
    return 0;
}
