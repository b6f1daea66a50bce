// The texts mix.
#include <cassert>
#include <iostream>
#include <sstream>
#include <syncstream>
#include <thread>

static std::ostringstream out;

static void say(const char *a, const char *b) {
    std::osyncstream(out) << a;
    std::osyncstream(out) << b;
}

int main() {
    std::thread one(say, "a", "b");
    say("c", "d");
    one.join();
    assert(out.str() == "abcd" || out.str() == "cdab");
    return 0;
}
