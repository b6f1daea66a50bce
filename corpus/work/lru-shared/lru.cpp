// Small LRU cache: look-ups take the lock shared, inserts exclusive.
#include <cassert>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <thread>

class LruCache {
public:
    explicit LruCache(size_t cap) : cap_(cap) {}

    void put(int key, int value) {
        std::unique_lock<std::shared_mutex> g(m_);
        if (entries_.size() >= cap_ && !entries_.count(key))
            evictOldest();
        Entry &e = entries_[key];
        e.value = value;
        e.stamp = ++clock_;
    }

    std::optional<int> get(int key) {
        std::shared_lock<std::shared_mutex> g(m_);
        auto it = entries_.find(key);
        if (it == entries_.end())
            return std::nullopt;
        it->second.stamp = ++clock_;
        return it->second.value;
    }

    // every entry carries a stamp of its own, none from the future
    bool consistent() {
        std::shared_lock<std::shared_mutex> g(m_);
        std::set<int> seen;
        for (auto &kv : entries_) {
            if (!seen.insert(kv.second.stamp).second)
                return false;
            if (kv.second.stamp > clock_)
                return false;
        }
        return true;
    }

private:
    struct Entry {
        int value = 0;
        int stamp = 0;
    };

    void evictOldest() {
        auto old = entries_.begin();
        for (auto it = entries_.begin(); it != entries_.end(); ++it)
            if (it->second.stamp < old->second.stamp)
                old = it;
        entries_.erase(old);
    }

    std::shared_mutex m_;
    std::map<int, Entry> entries_;
    size_t cap_;
    int clock_ = 0;
};

int main() {
    LruCache cache(2);
    cache.put(1, 100);
    cache.put(2, 200);

    std::thread a([&] {
        auto v = cache.get(1);
        assert(v && *v == 100);
    });
    std::thread b([&] {
        auto v = cache.get(2);
        assert(v && *v == 200);
    });
    a.join();
    b.join();
    assert(cache.consistent());
    return 0;
}
