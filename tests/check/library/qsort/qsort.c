#include <assert.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    int v[5] = {4, -1, 9, 0, 3};
    qsort(v, 5, sizeof v[0], compare);
    for (int i = 1; i < 5; i++)
        assert(v[i - 1] <= v[i]);
    int key = 9;
    int *found = bsearch(&key, v, 5, sizeof v[0], compare);
    assert(found == &v[4]);
    return 0;
}
