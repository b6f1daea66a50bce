// Fixed-size thread pool; the destructor promises to run what was submitted.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class ThreadPool {
public:
    explicit ThreadPool(int n) {
        for (int i = 0; i < n; i++)
            workers_.emplace_back([this] { loop(); });
    }

    ~ThreadPool() {
        {
            std::lock_guard<std::mutex> g(m_);
            stop_ = true;
        }
        cv_.notify_all();
        for (auto &w : workers_)
            w.join();
    }

    void submit(std::function<void()> f) {
        {
            std::lock_guard<std::mutex> g(m_);
            tasks_.push(std::move(f));
        }
        cv_.notify_one();
    }

private:
    void loop() {
        for (;;) {
            std::function<void()> task;
            {
                std::unique_lock<std::mutex> lk(m_);
                cv_.wait(lk, [this] { return stop_ || !tasks_.empty(); });
                if (stop_)
                    return;
                task = std::move(tasks_.front());
                tasks_.pop();
            }
            task();
        }
    }

    std::mutex m_;
    std::condition_variable cv_;
    std::queue<std::function<void()>> tasks_;
    bool stop_ = false;
    std::vector<std::thread> workers_;
};

int main() {
    std::atomic<int> done{0};
    const int jobs = 3;
    {
        ThreadPool pool(2);
        for (int i = 0; i < jobs; i++)
            pool.submit([&done] { done++; });
    }
    assert(done.load() == jobs);
    return 0;
}
