#include <cstdlib>
#include <iostream>
#include <thread>

static int shared;

int main() {
    int sum = 0, number;
    while (std::cin >> number)
        sum += number;
    if (sum != 46)
        return 1;
    std::thread thread([] { shared++; });
    shared++;
    thread.join();
    if (shared != 2)
        std::abort();
    return 0;
}
