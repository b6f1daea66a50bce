#include <new>
#include <thread>

static void note() {}

struct Task {
    virtual void run() {}
    virtual ~Task() {
        note();
    }
};
struct Print : Task {
    int done = 0;
    void run() override { done++; }
};
alignas(Print) static unsigned char place[sizeof(Print)];

int main() {
    Task *task = new (place) Print;
    std::thread one([task] {
        task->run();
    });
    task->Task::~Task();
    one.join();
    return 0;
}
