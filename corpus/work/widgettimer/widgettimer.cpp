// GUI toolkit: a blinking cursor widget subscribes to a timer service that
// calls back from its own thread; the UI thread closes the widget.
#include <cassert>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

class TimerService {
public:
    int subscribe(std::function<void()> cb)
    {
        std::lock_guard<std::mutex> g(mutex_);
        int id = ++last_id_;
        callbacks_[id] = std::move(cb);
        return id;
    }

    void cancel(int id)
    {
        std::lock_guard<std::mutex> g(mutex_);
        callbacks_.erase(id);
    }

    void fire(int id)
    {
        std::unique_lock<std::mutex> g(mutex_);
        auto it = callbacks_.find(id);
        if (it == callbacks_.end())
            return;
        auto cb = it->second;
        g.unlock();
        cb();
    }

private:
    std::mutex mutex_;
    int last_id_ = 0;
    std::map<int, std::function<void()>> callbacks_;
};

class CursorWidget {
public:
    explicit CursorWidget(TimerService &timers)
        : timers_(timers), pixels_(4, 0)
    {
        timer_id_ = timers_.subscribe([this] { blink(); });
    }

    ~CursorWidget() { timers_.cancel(timer_id_); }

    int timer_id() const { return timer_id_; }

private:
    void blink()
    {
        for (auto &p : pixels_)
            p ^= 0xff;
    }

    TimerService &timers_;
    int timer_id_;
    std::vector<unsigned char> pixels_;
};

int main()
{
    TimerService timers;
    auto *cursor = new CursorWidget(timers);
    int id = cursor->timer_id();

    std::thread clock([&timers, id] { timers.fire(id); });
    std::thread ui([cursor] { delete cursor; });

    clock.join();
    ui.join();
    return 0;
}
