// Unbounded channel with close(): receivers get std::nullopt once it is
// closed and empty.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

template <typename T>
class Channel {
public:
    void send(T v) {
        std::lock_guard<std::mutex> g(m_);
        if (closed_)
            throw std::runtime_error("send on closed channel");
        q_.push_back(std::move(v));
        cv_.notify_one();
    }

    std::optional<T> recv() {
        std::unique_lock<std::mutex> lk(m_);
        while (q_.empty() && !closed_)
            cv_.wait(lk);
        if (q_.empty())
            return std::nullopt;
        T v = std::move(q_.front());
        q_.pop_front();
        return v;
    }

    void close() {
        std::lock_guard<std::mutex> g(m_);
        closed_ = true;
        cv_.notify_all();
    }

private:
    std::mutex m_;
    std::condition_variable cv_;
    std::deque<T> q_;
    bool closed_ = false;
};

int main() {
    Channel<int> ch;
    std::atomic<int> sum{0};
    std::vector<std::thread> receivers;

    for (int i = 0; i < 2; i++) {
        receivers.emplace_back([&] {
            while (auto v = ch.recv())
                sum += *v;
        });
    }
    ch.send(5);
    ch.send(7);
    ch.close();
    for (auto &r : receivers)
        r.join();
    assert(sum.load() == 12);
    return 0;
}
