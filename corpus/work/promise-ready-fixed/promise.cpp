// One-shot promise with a lock-free fast path for readers that come late.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Reply {
    int status;
    std::vector<int> body;
};

class Promise {
public:
    void set(int status, std::vector<int> body) {
        auto r = std::make_shared<Reply>();
        r->status = status;
        r->body = std::move(body);
        std::lock_guard<std::mutex> g(m_);
        reply_ = r;
        ready_.store(true);
        cv_.notify_all();
    }

    std::shared_ptr<Reply> get() {
        if (ready_.load())
            return reply_;
        std::unique_lock<std::mutex> lk(m_);
        cv_.wait(lk, [this] { return ready_.load(); });
        return reply_;
    }

    bool poll() const { return ready_.load(); }

private:
    std::mutex m_;
    std::condition_variable cv_;
    std::atomic<bool> ready_{false};
    std::shared_ptr<Reply> reply_;
};

static int total(const Reply &r) {
    int t = 0;
    for (int v : r.body)
        t += v;
    return t;
}

int main() {
    Promise p;
    int sum1 = 0, sum2 = 0;

    std::thread server([&] { p.set(200, {1, 2, 3}); });
    std::thread client1([&] {
        auto r = p.get();
        assert(r);
        assert(r->status == 200);
        sum1 = total(*r);
    });
    std::thread client2([&] {
        if (p.poll())
            return;
        auto r = p.get();
        assert(r != nullptr);
        sum2 = total(*r);
    });
    server.join();
    client1.join();
    client2.join();

    assert(sum1 == 6);
    assert(sum2 == 0 || sum2 == 6);
    return 0;
}
