#include <semaphore>
#include <thread>

static std::binary_semaphore full(0);
static std::counting_semaphore<2> places(1);
static int slot;

int main() {
    std::thread one([] {
        for (int i = 1; i <= 2; i++) {
            places.acquire();
            slot = i;
            full.release();
        }
    });
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        full.acquire();
        sum += slot;
        places.release();
    }
    one.join();
    return sum != 3;
}
