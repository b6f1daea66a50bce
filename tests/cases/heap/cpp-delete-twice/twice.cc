// Both threads delete the object that the pointer meant when they looked.
#include <thread>

struct Session {
    long numbers[4];
};

Session *current = new Session;

void close_session() {
    Session *mine = current;
    if (mine) {
        current = nullptr;
        delete mine;
    }
}

int main() {
    std::thread other(close_session);
    close_session();
    other.join();
    return 0;
}
