// A table of month lengths, loaded on first use by any thread.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class LocaleTable {
public:
    int month_length(int month) {
        ensure_loaded();
        return lengths_[month];
    }

    int count() const { return count_; }

private:
    static constexpr int kMax = 8;

    void ensure_loaded() {
        if (loaded_)
            return;
        std::lock_guard<std::mutex> guard(mutex_);
        load();
        loaded_ = true;
    }

    void load() {
        add(31);
        add(28);
    }

    void add(int length) { lengths_[count_++] = length; }

    std::mutex mutex_;
    std::atomic<bool> loaded_{false};
    int lengths_[kMax];
    int count_ = 0;
};

int main() {
    LocaleTable table;

    std::thread calendar([&] { assert(table.month_length(0) == 31); });
    std::thread clock([&] { assert(table.month_length(1) == 28); });
    calendar.join();
    clock.join();

    assert(table.count() == 2);
    return 0;
}
