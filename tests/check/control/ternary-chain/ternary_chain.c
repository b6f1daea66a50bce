#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static const int keys[7] = {-50, -3, 0, 4, 17, 90, 1000};

static int find(int key) {
    int low = 0, high = 6;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (keys[middle] == key)
            return middle;
        keys[middle] < key ? (low = middle + 1) : (high = middle - 1);
    }
    return -1;
}

int main(void) {
    int key = __VERIFIER_nondet_int();
    int at = find(key);
    if (at >= 0)
        assert(keys[at] == key);
    else
        for (int i = 0; i < 7; i++)
            assert(keys[i] != key);
    return 0;
}
