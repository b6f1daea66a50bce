/* A hash table without locks that grows while it is in use, after Click (2007). */
#ifndef HASHTABLE_H
#define HASHTABLE_H

#include "../nbds-listidx01/retire.h"

#include <stdint.h>

typedef uintptr_t word;

/* No key and no value is 0; values are below a quarter of the largest number. */
#define ABSENT ((word)0)

enum when { ALWAYS, IF_ABSENT, IF_PRESENT };

struct hashtable;

/* With room for two to the power of `scale` entries at first. */
struct hashtable *hashtable_new(unsigned scale);
void hashtable_free(struct hashtable *map);

/* All give the value that was there before, or ABSENT. */
word hashtable_get(struct hashtable *map, struct memory *mine, word key);
word hashtable_put(struct hashtable *map, struct memory *mine, word key, word value, enum when when);
word hashtable_remove(struct hashtable *map, struct memory *mine, word key);

/* How many keys have a value; exact only while nobody else is at work. */
unsigned hashtable_count(struct hashtable *map);

#endif
