// A start gate: runner threads wait until the starter opens the gate.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class Gate {
public:
    void open() {
        std::lock_guard<std::mutex> guard(mutex_);
        open_ = true;
        opened_.notify_all();
    }

    void pass() {
        std::unique_lock<std::mutex> guard(mutex_);
        while (!open_)
            opened_.wait(guard);
        ++passed_;
    }

    int passed() {
        std::lock_guard<std::mutex> guard(mutex_);
        return passed_;
    }

private:
    std::mutex mutex_;
    std::condition_variable opened_;
    bool open_ = false;
    int passed_ = 0;
};

int main() {
    Gate gate;

    std::thread starter([&] { gate.open(); });
    std::thread red([&] { gate.pass(); });
    std::thread blue([&] { gate.pass(); });
    starter.join();
    red.join();
    blue.join();

    assert(gate.passed() == 2);
    return 0;
}
