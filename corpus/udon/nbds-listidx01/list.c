#include "list.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* In a node's link: this node has been removed; whoever comes by takes it out of the list. */
#define MARK ((word)1)

struct node {
    word key;
    _Atomic word value;  /* ABSENT: removed, also where the link is not marked yet */
    _Atomic word next;
};

struct list {
    struct node head;  /* before all others; it has no key */
};

/* Between which nodes a key belongs. */
struct place {
    struct node *before;
    struct node *at;  /* the first that is not smaller, or NULL */
};

static struct node *node_of(word link) {
    return (struct node *)(link & ~MARK);
}

static struct node *node_new(word key, word value) {
    struct node *node = memory_take(sizeof *node);
    node->key = key;
    atomic_init(&node->value, value);
    return node;
}

struct list *list_new(void) {
    return memory_take(sizeof(struct list));
}

void list_free(struct list *list) {
    word link = atomic_load(&list->head.next);
    while (node_of(link) != NULL) {
        struct node *node = node_of(link);
        link = atomic_load(&node->next);
        memory_give_back(node);
    }
    memory_give_back(list);
}

/* Takes a marked node out. Who succeeds retires it; else the node before has changed. */
static bool unlink_node(struct memory *mine, struct node *before, struct node *node, word next) {
    word expected = (word)node;
    if (!atomic_compare_exchange_strong(&before->next, &expected, next & ~MARK))
        return false;
    memory_retire(mine, node);
    return true;
}

/* One pass from the head; false: something has changed on the way, and it has to begin again. */
static bool try_find(struct list *list, struct memory *mine, word key, struct place *place) {
    place->before = &list->head;
    place->at = node_of(atomic_load(&list->head.next));
    while (place->at != NULL) {
        struct node *node = place->at;
        word next = atomic_load(&node->next);
        if (next & MARK) {
            if (!unlink_node(mine, place->before, node, next))
                return false;
        } else {
            if (node->key >= key)
                return true;
            place->before = node;
        }
        place->at = node_of(next);
    }
    return true;
}

static bool find(struct list *list, struct memory *mine, word key, struct place *place) {
    while (!try_find(list, mine, key, place))
        ;
    return place->at != NULL && place->at->key == key;
}

word list_lookup(struct list *list, word key) {
    struct node *node = node_of(atomic_load(&list->head.next));
    while (node != NULL && node->key < key)
        node = node_of(atomic_load(&node->next));
    return node != NULL && node->key == key ? atomic_load(&node->value) : ABSENT;
}

/* A node whose value is gone gets its mark, by whoever sees it first. */
static word mark(struct node *node) {
#ifdef BAD
    /* What another thread inserts in between is lost. */
    word next = atomic_load(&node->next) & ~MARK;
    atomic_store(&node->next, next | MARK);
    return next;
#endif
    return atomic_fetch_or(&node->next, MARK) & ~MARK;
}

/* Writes a value into a node that is there; ABSENT: it has been removed meanwhile. */
static word replace(struct node *node, word value, enum when when) {
    word old = atomic_load(&node->value);
    while (old != ABSENT && when != IF_ABSENT)
        if (atomic_compare_exchange_strong(&node->value, &old, value))
            break;
    return old;
}

word list_put(struct list *list, struct memory *mine, word key, word value, enum when when) {
    struct node *fresh = NULL;
    word old = ABSENT;
    for (;;) {
        struct place place;
        if (find(list, mine, key, &place)) {
            old = replace(place.at, value, when);
            if (old != ABSENT)
                break;
            mark(place.at);
            continue;
        }
        if (when == IF_PRESENT)
            break;
        if (fresh == NULL)
            fresh = node_new(key, value);
        atomic_store(&fresh->next, (word)place.at);
        word expected = (word)place.at;
        if (atomic_compare_exchange_strong(&place.before->next, &expected, (word)fresh))
            return ABSENT;
    }
    if (fresh != NULL)
        memory_give_back(fresh);
    return old;
}

word list_remove(struct list *list, struct memory *mine, word key) {
    struct place place;
    if (!find(list, mine, key, &place))
        return ABSENT;
    word old = atomic_exchange(&place.at->value, ABSENT);
    if (old == ABSENT)
        return ABSENT;
    word next = mark(place.at);
    if (!unlink_node(mine, place.before, place.at, next))
        find(list, mine, key, &place);
    return old;
}

word list_after(struct list *list, word *key) {
    struct node *node = node_of(atomic_load(&list->head.next));
    for (; node != NULL; node = node_of(atomic_load(&node->next))) {
        word value = atomic_load(&node->value);
        if (node->key > *key && value != ABSENT) {
            *key = node->key;
            return value;
        }
    }
    return ABSENT;
}
