// Spreadsheet: a model notifies its view of changes; the view, when it
// repaints, asks the model for the current value.
#include <cassert>
#include <functional>
#include <mutex>
#include <thread>

class Model {
public:
    void on_change(std::function<void(int)> listener)
    {
        std::lock_guard<std::mutex> g(mutex_);
        listener_ = std::move(listener);
    }

    void set(int value)
    {
        std::lock_guard<std::mutex> g(mutex_);
        value_ = value;
        if (listener_)
            listener_(value);
    }

    int get()
    {
        std::lock_guard<std::mutex> g(mutex_);
        return value_;
    }

private:
    std::mutex mutex_;
    int value_ = 0;
    std::function<void(int)> listener_;
};

class View {
public:
    explicit View(Model &model) : model_(model)
    {
        model_.on_change([this](int) { invalidate(); });
    }

    void repaint()
    {
        std::lock_guard<std::mutex> g(mutex_);
        shown_ = model_.get();
        dirty_ = false;
    }

    int shown()
    {
        std::lock_guard<std::mutex> g(mutex_);
        return shown_;
    }

private:
    void invalidate()
    {
        std::lock_guard<std::mutex> g(mutex_);
        dirty_ = true;
    }

    Model &model_;
    std::mutex mutex_;
    bool dirty_ = true;
    int shown_ = 0;
};

int main()
{
    Model model;
    View view(model);

    std::thread recalculation([&] {
        for (int v = 1; v <= 2; v++)
            model.set(v * 10);
    });
    std::thread painter([&] {
        view.repaint();
        assert(view.shown() % 10 == 0);
    });

    recalculation.join();
    painter.join();
    view.repaint();
    assert(view.shown() == 20);
    return 0;
}
