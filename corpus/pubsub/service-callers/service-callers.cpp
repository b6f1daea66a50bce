// One service and two parallel callers. The first one writes down what it asks for before it calls; the second one
// looks at that behind its own call. The service answers one after the other, so the two are ordered where the first
// one is served first.
#include "../publishers/pubsub.hpp"

#include <chrono>

struct Route {
    int from, to;
};

static std::mutex plan_mutex;
static int planned, length;

static int plan(const Route &route) {
    return route.to - route.from;
}

using Planner = pubsub::Service<Route, int>;

static void passenger(Planner &planner) {
    {
#ifdef FIXED
        std::lock_guard<std::mutex> guard(plan_mutex);
#endif
        planned = 7;
    }
    length = planner.call({0, 7});
}

static void freight(Planner &planner) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    int mine = planner.call({2, 5});
#ifdef FIXED
    std::lock_guard<std::mutex> guard(plan_mutex);
#endif
    if (planned > mine)
        planned = mine;
}

int main() {
    Planner planner(plan);
    std::thread one(passenger, std::ref(planner)), two(freight, std::ref(planner));
    one.join();
    two.join();
    return length != 7;
}
