#include <assert.h>

struct counter {
    int value;
    void (*step)(struct counter *);
    const struct kind *kind;
};
struct kind { const char *name; int (*get)(const struct counter *); };

static void up(struct counter *c) { c->value++; }
static void twice(struct counter *c) { up(c); up(c); }
static int get(const struct counter *c) { return c->value; }

static const struct kind plain = {"plain", get};

int main(void) {
    struct counter all[] = {{0, up, &plain}, {5, twice, &plain}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            all[i].step(&all[i]);
    assert(all[0].kind->get(&all[0]) == 3);
    assert(all[1].kind->get(&all[1]) == 11);
    return 0;
}
