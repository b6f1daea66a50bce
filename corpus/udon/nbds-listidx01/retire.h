/* Memory that was taken out of a structure while others may still look at it: it is kept until
 * no thread is at work any more. Each thread has a list of its own. */
#ifndef RETIRE_H
#define RETIRE_H

#include <stddef.h>

struct retired {
    struct retired *next;
};

struct memory {
    struct retired *retired;
};

/* Zeroed; the link of the list of the retired ones lies before each block, so that who still looks
 * at a retired one finds it as it was. */
void *memory_take(size_t size);
void memory_retire(struct memory *mine, void *block);
/* For a block that nobody else has seen. */
void memory_give_back(void *block);
/* All threads have ended. */
void memory_free_retired(struct memory *mine);

#endif
