// The last piece is seen by two threads, each of which then takes it. What std::map does is not seen.
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::map<std::string, int> stock{{"apple", 1}};
static std::mutex m;

static void take(const char *name) {
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
    std::thread one(take, "apple"), two(take, "apple");
    one.join();
    two.join();
}
