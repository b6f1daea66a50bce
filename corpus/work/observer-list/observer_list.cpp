// An event notifier: a publisher thread calls all registered listeners while
// another thread removes its listener again.
#include <algorithm>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

struct Listener {
    std::atomic<int> events{0};
    void on_event() { ++events; }
};

class Notifier {
public:
    void subscribe(Listener *l) {
        std::lock_guard<std::mutex> guard(mutex_);
        listeners_.push_back(l);
    }

    void unsubscribe(Listener *l) {
        std::lock_guard<std::mutex> guard(mutex_);
        listeners_.erase(std::find(listeners_.begin(), listeners_.end(), l));
    }

    void publish() {
        std::vector<Listener *> targets;
        {
            std::lock_guard<std::mutex> guard(mutex_);
            targets = listeners_;
        }
        for (Listener *l : targets)
            l->on_event();
    }

private:
    std::mutex mutex_;
    std::vector<Listener *> listeners_;
};

int main() {
    Notifier notifier;
    Listener permanent;
    Listener *dialog = new Listener;

    notifier.subscribe(&permanent);
    notifier.subscribe(dialog);

    std::thread publisher([&] { notifier.publish(); });
    std::thread ui([&] {
        notifier.unsubscribe(dialog);
        delete dialog;
    });
    publisher.join();
    ui.join();

    assert(permanent.events == 1);
    return 0;
}
