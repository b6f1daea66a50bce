#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

class Stock {
    std::mutex guard;
    std::vector<int> items;
public:
    void put(int n) { std::lock_guard<std::mutex> hold(guard); items.push_back(n); }
    bool empty() { std::lock_guard<std::mutex> hold(guard); return items.empty(); }
    int take() {
        std::lock_guard<std::mutex> hold(guard);
        if (items.empty()) throw std::runtime_error("nothing left");
        int n = items.back();
        items.pop_back();
        return n;
    }
};

int main() {
    Stock stock;
    stock.put(7);
    auto buyer = [&] { if (!stock.empty()) stock.take(); };
    std::thread a(buyer), b(buyer);
    a.join();
    b.join();
}
