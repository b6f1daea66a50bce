// Event loop with a coalesced wake-up: only the first poster since the last
// drain has to wake the loop.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

class Loop {
public:
    void post(std::function<void()> f) {
        {
            std::lock_guard<std::mutex> g(qm_);
            q_.push_back(std::move(f));
        }
        if (!wakePending_.exchange(true))
            wake();
    }

    void run() {
        while (!quit_) {
            waitForWake();
            drain();
            wakePending_.store(false);
        }
    }

    void quit() {
        post([this] { quit_ = true; });
    }

private:
    void wake() {
        std::lock_guard<std::mutex> g(wm_);
        signalled_ = true;
        cv_.notify_one();
    }

    void waitForWake() {
        std::unique_lock<std::mutex> lk(wm_);
        cv_.wait(lk, [this] { return signalled_; });
        signalled_ = false;
    }

    void drain() {
        std::deque<std::function<void()>> batch;
        {
            std::lock_guard<std::mutex> g(qm_);
            batch.swap(q_);
        }
        for (auto &f : batch)
            f();
    }

    std::mutex qm_;
    std::deque<std::function<void()>> q_;
    std::mutex wm_;
    std::condition_variable cv_;
    bool signalled_ = false;
    std::atomic<bool> wakePending_{false};
    bool quit_ = false;
};

int main() {
    Loop loop;
    int handled = 0;

    std::thread t([&] { loop.run(); });
    std::thread poster([&] {
        loop.post([&] { handled++; });
        loop.post([&] { handled++; });
    });
    poster.join();
    loop.quit();
    t.join();
    assert(handled == 2);
    return 0;
}
