extern "C" int __VERIFIER_nondet_int(void);

static const int &larger(const int &a, const int &b) {
    const int &result = a > b ? a : b;
    return result;
}

int main() {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    const int &most = larger(a, b);
    return most < a;
}
