// Subject with a list of observers. Callbacks run without the lock so that
// an observer may call back into the subject.
#include <atomic>
#include <cassert>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Observer {
    explicit Observer(int i) : id(i) {}
    int id;
    std::atomic<int> events{0};
    void onEvent() { events++; }
};

class Subject {
public:
    void subscribe(std::shared_ptr<Observer> o) {
        std::lock_guard<std::mutex> g(m_);
        list_.push_back(std::move(o));
    }

    void unsubscribe(int id) {
        std::lock_guard<std::mutex> g(m_);
        for (auto it = list_.begin(); it != list_.end(); ++it) {
            if ((*it)->id == id) {
                list_.erase(it);
                return;
            }
        }
    }

    void notify() {
        std::vector<std::shared_ptr<Observer>> copy;
        {
            std::lock_guard<std::mutex> g(m_);
            copy = list_;
        }
        for (auto &o : copy)
            o->onEvent();
    }

    size_t size() {
        std::lock_guard<std::mutex> g(m_);
        return list_.size();
    }

private:
    std::mutex m_;
    std::vector<std::shared_ptr<Observer>> list_;
};

int main() {
    Subject subject;
    auto a = std::make_shared<Observer>(1);
    auto b = std::make_shared<Observer>(2);
    auto c = std::make_shared<Observer>(3);
    subject.subscribe(a);
    subject.subscribe(b);
    subject.subscribe(c);

    std::thread notifier([&] { subject.notify(); });
    std::thread leaver([&] { subject.unsubscribe(1); });
    notifier.join();
    leaver.join();

    assert(subject.size() == 2);
    // the two that stayed must have heard the event
    assert(b->events.load() == 1);
    assert(c->events.load() == 1);
    return 0;
}
