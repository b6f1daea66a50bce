#include <cstdlib>
#include <iostream>
#include <random>
#include <thread>

static int shared;

int main() {
    std::random_device device, file("/dev/urandom");
    std::mt19937 generator(device());
    std::cout << generator() << " " << device() << " " << file() << std::endl;
    std::thread thread([] { shared++; });
    shared++;
    thread.join();
    if (shared != 2)
        std::abort();
    return 0;
}
