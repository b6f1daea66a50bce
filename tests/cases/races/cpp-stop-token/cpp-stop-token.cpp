#include <thread>

static int farewell;

int main() {
    int heard = 0;
    {
        std::jthread one([&](std::stop_token token) {
            while (!token.stop_requested())
                std::this_thread::yield();
            heard = farewell;
        });
        farewell = 3;
        one.request_stop();
    }
    return heard != 3;
}
