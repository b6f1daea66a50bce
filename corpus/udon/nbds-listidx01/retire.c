#include "retire.h"

#include <stdlib.h>

/* As large as the strictest alignment. */
union header {
    struct retired link;
    max_align_t alignment;
};

void *memory_take(size_t size) {
    union header *header = calloc(1, sizeof *header + size);
    if (header == NULL)
        abort();
    return header + 1;
}

static union header *header_of(void *block) {
    return (union header *)block - 1;
}

void memory_retire(struct memory *mine, void *block) {
    struct retired *link = &header_of(block)->link;
    link->next = mine->retired;
    mine->retired = link;
}

void memory_give_back(void *block) {
    free(header_of(block));
}

void memory_free_retired(struct memory *mine) {
    while (mine->retired != NULL) {
        struct retired *first = mine->retired;
        mine->retired = first->next;
        free(first);
    }
}
