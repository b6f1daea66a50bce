#include <assert.h>
#include <stddef.h>

struct link { int value; const struct link *outer; };

static int deepest(int depth, const struct link *outer) {
    struct link here = {depth, outer};
    if (depth == 5) {
        int sum = 0;
        for (const struct link *l = &here; l; l = l->outer)
            sum = sum * 10 + l->value;
        return sum;
    }
    int below = deepest(depth + 1, &here);
    assert(here.value == depth);
    return below;
}

int main(void) {
    assert(deepest(1, NULL) == 54321);
    return 0;
}
