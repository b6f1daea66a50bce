/* A skip list without locks, after Fraser (2004) and Herlihy and Shavit (2008): a key is there as
 * soon as it is in the lowest list; the lists above it are shortcuts. */
#ifndef SKIPLIST_H
#define SKIPLIST_H

#include "../nbds-listidx01/retire.h"

#include <stdbool.h>
#include <stdint.h>

typedef uintptr_t word;

/* No key has a value of 0. */
#define ABSENT ((word)0)

struct skiplist;

/* What belongs to one thread: its retired nodes, and its random numbers for the heights. */
struct visitor {
    struct memory memory;
    uint32_t random;
};

struct skiplist *skiplist_new(void);
void skiplist_free(struct skiplist *list);

/* The value that is there, or ABSENT. */
word skiplist_lookup(struct skiplist *list, word key);
/* Gives the value that was there, which stays, or ABSENT. */
word skiplist_put(struct skiplist *list, struct visitor *visitor, word key, word value);
/* Gives the value that was there, or ABSENT. */
word skiplist_remove(struct skiplist *list, struct visitor *visitor, word key);

/* Whether each list is sorted and part of the one below; only while nobody else is at work. */
bool skiplist_is_sound(struct skiplist *list);

#endif
