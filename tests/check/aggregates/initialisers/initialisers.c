#include <assert.h>

struct inner { short a; char text[6]; };
struct outer { int n; struct inner in[2]; int *p; };

static int target = 5;
static struct outer g = {.in[1] = {.text = "abc", .a = -2}, .n = 3, .p = &target};
static int sparse[10] = {[7] = 1, 2, [2] = 3};
static const char *words[] = {"one", "two", [4] = "five"};

int main(void) {
    assert(g.n == 3 && g.in[0].a == 0 && g.in[1].a == -2 && *g.p == 5);
    assert(g.in[1].text[2] == 'c' && g.in[1].text[3] == 0 && g.in[1].text[5] == 0);
    assert(sparse[2] == 3 && sparse[3] == 0 && sparse[7] == 1 && sparse[8] == 2);
    assert(sizeof words / sizeof *words == 5 && words[3] == 0 && words[4][1] == 'i');
    int local[4] = {1};
    assert(local[0] == 1 && local[1] + local[2] + local[3] == 0);
    struct outer copy = {2, {{1, "xy"}}};
    assert(copy.in[0].text[1] == 'y' && copy.in[1].a == 0 && copy.p == 0);
    return 0;
}
