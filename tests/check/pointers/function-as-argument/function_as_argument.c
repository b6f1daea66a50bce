#include <assert.h>

extern signed char __VERIFIER_nondet_char(void);

static int less(int a, int b) { return a < b; }
static int more(int a, int b) { return a > b; }

static void sort(int *v, int n, int (*before)(int, int)) {
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && before(v[j], v[j - 1]); j--) {
            int t = v[j];
            v[j] = v[j - 1];
            v[j - 1] = t;
        }
}

int main(void) {
    int v[3];
    for (int i = 0; i < 3; i++)
        v[i] = __VERIFIER_nondet_char();
    int up = v[0] > 0;
    sort(v, 3, up ? less : more);
    assert(up ? v[0] <= v[1] && v[1] <= v[2] : v[0] >= v[1] && v[1] >= v[2]);
    return 0;
}
