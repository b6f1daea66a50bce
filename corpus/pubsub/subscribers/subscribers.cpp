// One publisher and two parallel subscribers, each with its callback thread. The first one notes an obstacle and then
// writes the log; the second one, which takes longer, writes the log and then looks at the obstacle. The log's lock
// stands between the two unless the second one is faster for once.
#include "../publishers/pubsub.hpp"

#include <chrono>

struct Scan {
    int distance;
};

static std::mutex log_mutex, map_mutex;
static int log_lines, nearest = 100, brakes;

static void write_log() {
    std::lock_guard<std::mutex> guard(log_mutex);
    log_lines++;
}

static void map(const Scan &scan) {
    {
#ifdef FIXED
        std::lock_guard<std::mutex> guard(map_mutex);
#endif
        nearest = scan.distance;
    }
    write_log();
}

static void drive(const Scan &) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    write_log();
#ifdef FIXED
    std::lock_guard<std::mutex> guard(map_mutex);
#endif
    if (nearest < 50)
        brakes++;
}

int main() {
    {
        pubsub::Topic<Scan> scans;
        scans.subscribe(map);
        scans.subscribe(drive);
        std::thread laser([&] { scans.publish({30}); });
        laser.join();
    }
    return log_lines != 2 || brakes > 1;
}
