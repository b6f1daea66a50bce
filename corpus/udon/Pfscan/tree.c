#include "tree.h"

#include <stddef.h>

#ifndef FILES
#define FILES 2
#endif

#if FILES > 2
static const struct entry old[] = {
    {"poem", "all that I love I leave\n", NULL},
#if FILES > 3
    {"list", "bread\nlove\nmilk\n", NULL},
#endif
    {NULL, NULL, NULL},
};
#endif

static const struct entry top[] = {
    {"letter", "my love,\nall is well.\nlove", NULL},
#if FILES > 2
    {"old", NULL, old},
#endif
    {"notes", "nothing to be found\n", NULL},
    {NULL, NULL, NULL},
};

const struct entry root = {".", NULL, top};
