#include <cassert>

struct Base {
    virtual ~Base() { ended++; }
    static int ended;
};
struct Derived : Base {
    int value;
    explicit Derived(int value) : value(value) {}
};
int Base::ended;

static int cleaned;
struct Cleaner {
    ~Cleaner() { cleaned++; }
};

static void inner() {
    Cleaner cleaner;
    throw Derived(3);
}

static void middle() {
    Cleaner cleaner;
    try {
        inner();
    } catch (Base &) {
        Cleaner another;
        throw;
    }
}

static int outer() {
    try {
        middle();
    } catch (int number) {
        return number;
    } catch (Derived &derived) {
        assert(Base::ended == 0);
        return derived.value;
    }
    return 0;
}

int main() {
    int value = outer();
    assert(value == 3);
    assert(cleaned == 3);
    assert(Base::ended == 2);
    try {
        throw 42;
    } catch (...) {
        value = 5;
    }
    assert(value == 5);
    return 0;
}
