// The last piece is seen by two threads, each of which then takes it. What a string stream does is not seen.
#include <map>
#include <mutex>
#include <sstream>
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
        std::ostringstream line;
        line << name << " is gone";
    }
}

int main() {
    std::thread one(take, "apple"), two(take, "apple");
    one.join();
    two.join();
}
