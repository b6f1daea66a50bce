#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static const int keys[4] = {10, 20, 30, 40};

static int find(int key) {
    int low = 0, high = 3;
    while (low < high) {
        int middle = (low + high) / 2;
        if (keys[middle] == key)
            return middle;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

int main(void) {
    unsigned which = __VERIFIER_nondet_uchar() & 3;
    assert(find(keys[3 - which]) >= 0);
    return 0;
}
