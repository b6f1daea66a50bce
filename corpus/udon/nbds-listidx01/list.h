/* A sorted list of keys with values, without locks, after Harris (2001) and Michael (2002). */
#ifndef LIST_H
#define LIST_H

#include "retire.h"

#include <stdint.h>

typedef uintptr_t word;

/* No key has a value of 0. */
#define ABSENT ((word)0)

enum when { ALWAYS, IF_ABSENT, IF_PRESENT };

struct list;

struct list *list_new(void);
void list_free(struct list *list);

/* All give the value that was there before, or ABSENT. */
word list_lookup(struct list *list, word key);
word list_put(struct list *list, struct memory *mine, word key, word value, enum when when);
word list_remove(struct list *list, struct memory *mine, word key);

/* The smallest key that is larger than this one, and its value; ABSENT: none is. */
word list_after(struct list *list, word *key);

#endif
