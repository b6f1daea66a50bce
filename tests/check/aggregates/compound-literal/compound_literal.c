#include <assert.h>

struct point { int x, y; };

static int norm(const struct point *p) { return p->x * p->x + p->y * p->y; }

static struct point mirrored(struct point p) { return (struct point){-p.x, p.y}; }

int main(void) {
    assert(norm(&(struct point){3, 4}) == 25);
    struct point kept;
    {
        struct point *p = &(struct point){.y = 2};
        kept = *p;
        p->y = 7;
    }
    assert(kept.x == 0 && kept.y == 2);
    assert(mirrored((struct point){1, 1}).x == -1);
    return 0;
}
