extern "C" bool __VERIFIER_nondet_bool(void);

struct Owner {
    int *thing;
    Owner(int *t) : thing(t) {}
    Owner(Owner &o) : thing(o.thing) { o.thing = nullptr; }
    ~Owner() { delete thing; }
};

int main() {
    Owner first(new int(3));
    if (__VERIFIER_nondet_bool()) {
        Owner second(first);
    }
    return 0;
}
