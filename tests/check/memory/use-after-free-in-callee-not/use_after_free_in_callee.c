#include <stdlib.h>

struct session { void (*closed)(struct session *); int uses; };

static void destroy(struct session *s) { free(s); }

static void use(struct session *s) {
    s->uses++;
    s->closed(s);
}

int main(void) {
    struct session *s = malloc(sizeof *s);
    if (!s)
        return 0;
    s->closed = destroy;
    s->uses = 0;
    use(s);
    return 0;
}
