#include <cassert>

extern "C" bool __VERIFIER_nondet_bool(void);

struct Shape {
    virtual int sides() const { return 0; }
    int kind = 1;
};
struct Square : Shape {
    int sides() const override { return 4; }
};
struct Triangle : Shape {
    int sides() const override { return 3; }
};

int main() {
    Square square;
    Triangle triangle;
    Shape *shape = __VERIFIER_nondet_bool() ? static_cast<Shape *>(&square) : &triangle;
    assert(shape->sides() >= 3);
    assert(shape->kind == 1);
    return 0;
}
