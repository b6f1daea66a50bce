#include <atomic>
#include <thread>

static std::atomic<bool> asked{false}, answered{false};
static int question, answer;

static void serve() {
    while (!asked)
        ;
    answer = question * 2;
    answered = true;
}

int main() {
    std::thread one(serve);
    question = 21;
    asked = true;
    while (!answered)
        ;
    int seen = answer;
    one.join();
    return seen != 42;
}
