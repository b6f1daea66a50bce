// Whether there is one is asked under the lock, and whether there still is one is not.
#include <map>
#include <mutex>
#include <string>
#include <thread>

std::map<std::string, int> stock{{"apple", 1}};
std::mutex m;

void take(const char *name) {
    bool has;
    {
        std::lock_guard<std::mutex> guard(m);
        has = stock.count(name) > 0;
    }
    if (has) {
        std::lock_guard<std::mutex> guard(m);
        stock.at(name)--;
        stock.erase(name);
    }
}

int main() {
    std::thread a(take, "apple"), b(take, "apple");
    a.join();
    b.join();
}
