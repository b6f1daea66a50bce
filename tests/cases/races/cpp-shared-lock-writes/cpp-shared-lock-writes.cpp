#include <shared_mutex>
#include <thread>

class Table {
    mutable std::shared_mutex mutex;
    mutable int lookups = 0;
    int value = 3;

  public:
    int look() const {
        std::shared_lock<std::shared_mutex> reading(mutex);
        lookups++;
        return value;
    }
};
static const Table table;

int main() {
    std::thread one([] { table.look(); });
    int seen = table.look();
    one.join();
    return seen != 3;
}
