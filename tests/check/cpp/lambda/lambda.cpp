#include <cassert>

extern "C" int __VERIFIER_nondet_int(void);

template <typename F> static int twice(F f, int x) { return f(f(x)); }

int main() {
    int n = __VERIFIER_nondet_int();
    if (n < -1000 || n > 1000)
        return 0;
    int calls = 0, kept = n;
    auto add = [kept, &calls](int x) {
        calls++;
        return x + kept;
    };
    n = 0;
    int result = twice(add, 5);
    assert(calls == 2 && result == 5 + 2 * kept && n == 0);
    return 0;
}
