#include <thread>

struct Registry {
    int size;
    Registry() : size(0) {
        for (int i = 0; i < 3; i++)
            size++;
    }
};

static int size() {
    static Registry registry;
    return registry.size;
}

int main() {
    int seen = 0;
    std::thread one([&] { seen = size(); });
    int mine = size();
    one.join();
    return seen != mine;
}
