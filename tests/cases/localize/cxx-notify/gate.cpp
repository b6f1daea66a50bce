// Two wait at the gate, and one of them is told.
#include <condition_variable>
#include <mutex>
#include <thread>

class Gate {
  public:
    void pass() {
        std::unique_lock<std::mutex> lock(m_);
        opened_.wait(lock, [this] { return open_; });
    }
    void open() {
        std::lock_guard<std::mutex> lock(m_);
        open_ = true;
        opened_.notify_one();
    }

  private:
    std::mutex m_;
    std::condition_variable opened_;
    bool open_ = false;
};

static Gate gate;

int main() {
    std::thread one([] { gate.pass(); }), two([] { gate.pass(); });
    gate.open();
    one.join();
    two.join();
}
