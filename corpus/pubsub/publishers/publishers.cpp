// Two parallel publishers on one topic. Both count what they have sent; the count has no lock of its own, and the
// topic's lock stands between the two where the quick publisher comes first, as it mostly does.
#include "pubsub.hpp"

#include <chrono>

struct Position {
    int x, y;
};

static pubsub::Topic<Position> positions;
static int sent, travelled;
static std::mutex sent_mutex;

static void count() {
#ifdef FIXED
    std::lock_guard<std::mutex> guard(sent_mutex);
#endif
    sent++;
}

static void wheels() {
    count();
    positions.publish({1, 2});
}

static void camera() {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    positions.publish({3, 4});
    count();
}

int main() {
    positions.subscribe([](const Position &position) { travelled += position.x; });
    std::thread one(wheels), two(camera);
    one.join();
    two.join();
    return sent > 2;
}
