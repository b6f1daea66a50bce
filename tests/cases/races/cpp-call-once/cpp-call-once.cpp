#include <mutex>
#include <thread>

static std::once_flag flag;
static int table[3];

static int use(int at) {
    std::call_once(flag, [] {
        for (int i = 0; i < 3; i++)
            table[i] = i + 1;
    });
    return table[at];
}

int main() {
    int first = 0;
    std::thread one([&] { first = use(0); });
    int second = use(1);
    one.join();
    return first + second != 3;
}
