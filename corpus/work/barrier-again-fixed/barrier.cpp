// Phased computation: workers meet at a reusable barrier after every phase.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

class Barrier {
public:
    explicit Barrier(int n) : total_(n), arrived_(0), phase_(0) {}

    void arriveAndWait() {
        std::unique_lock<std::mutex> lk(m_);
        int mine = phase_;
        arrived_++;
        if (arrived_ == total_) {
            arrived_ = 0;
            phase_++;
            released_ = true;
            cv_.notify_all();
        } else {
            cv_.wait(lk, [&] { return phase_ != mine; });
        }
    }

    int phase() {
        std::lock_guard<std::mutex> g(m_);
        return phase_;
    }

private:
    std::mutex m_;
    std::condition_variable cv_;
    const int total_;
    int arrived_;
    int phase_;
    bool released_ = false;
};

class Grid {
public:
    explicit Grid(int n) : cells_(n, 0) {}
    void step(int i) { cells_[i]++; }
    int at(int i) const { return cells_[i]; }

private:
    std::vector<int> cells_;
};

int main() {
    const int workers = 2, phases = 2;
    Barrier barrier(workers);
    Grid grid(workers);
    std::vector<std::thread> ts;

    for (int w = 0; w < workers; w++) {
        ts.emplace_back([&, w] {
            for (int p = 0; p < phases; p++) {
                grid.step(w);
                barrier.arriveAndWait();
            }
        });
    }
    for (auto &t : ts)
        t.join();
    for (int w = 0; w < workers; w++)
        assert(grid.at(w) == phases);
    assert(barrier.phase() == phases);
    return 0;
}
