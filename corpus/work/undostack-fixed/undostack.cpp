// Text editor: an undo history that the editing thread extends and rewinds
// and that an auto-save thread clears after saving.
#include <cassert>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class UndoStack {
public:
    void record(const std::string &step)
    {
        std::lock_guard<std::mutex> g(mutex_);
        steps_.resize(cursor_);
        steps_.push_back(step);
        cursor_ = steps_.size();
    }

    bool undo(std::string &step)
    {
        std::lock_guard<std::mutex> g(mutex_);
        if (cursor_ == 0)
            return false;
        cursor_--;
        step = steps_.at(cursor_);
        return true;
    }

    void clear()
    {
        std::vector<std::string> dropped;
        {
            std::lock_guard<std::mutex> g(mutex_);
            dropped.swap(steps_);
            cursor_ = 0;
        }
        dropped.clear();
    }

private:
    std::mutex mutex_;
    std::vector<std::string> steps_;
    std::size_t cursor_ = 0;
};

int main()
{
    UndoStack history;
    history.record("insert 'a'");

    std::thread editor([&] {
        std::string step;
        history.record("insert 'b'");
        if (history.undo(step))
            assert(!step.empty());
    });
    std::thread autosave([&] { history.clear(); });

    editor.join();
    autosave.join();
    return 0;
}
