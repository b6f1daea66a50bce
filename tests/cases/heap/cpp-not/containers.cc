// Containers, shared pointers, streams and strings of the library, used as they are meant.
#include <deque>
#include <future>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

std::mutex lock;
std::map<std::string, std::shared_ptr<std::string>> table;

void work(int me) {
    std::ostringstream text;
    text << "a text that is too long for a small string, of thread " << me;
    auto shared = std::make_shared<std::string>(text.str());
    std::deque<int> queue;
    std::list<std::string> list;
    std::unordered_map<int, std::vector<int>> numbers;
    for (int i = 0; i < 40; i++) {
        queue.push_back(i);
        list.push_front(std::to_string(i) + " and a tail that makes it long");
        numbers[i % 7].push_back(i);
        if (i % 3 == 0)
            queue.pop_front();
    }
    list.sort();
    std::lock_guard<std::mutex> guard(lock);
    table[shared->substr(0, 20) + char('0' + me)] = shared;
}

int main() {
    std::thread one(work, 1), two(work, 2);
    auto future = std::async(std::launch::deferred, [] { return std::string(100, 'x'); });
    one.join();
    two.join();
    std::cout << table.size() << future.get().size() << std::endl;
    return 0;
}
