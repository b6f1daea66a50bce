#include "skiplist.h"

#include <stdatomic.h>
#include <stddef.h>

#ifndef LEVELS
#define LEVELS 3
#endif

/* In a link: the node that it belongs to has been removed from this level. */
#define MARK ((word)1)

struct node {
    word key;
    word value;
    int height;
    _Atomic word next[LEVELS];  /* as many as it is high */
};

struct skiplist {
    struct node head;  /* before all others, of full height; it has no key */
};

/* Between which nodes a key belongs, on each level. */
struct place {
    struct node *before[LEVELS];
    struct node *at[LEVELS];  /* the first that is not smaller, or NULL */
};

static struct node *node_of(word link) {
    return (struct node *)(link & ~MARK);
}

static struct node *node_new(word key, word value, int height) {
    struct node *node = memory_take(sizeof *node);
    node->key = key;
    node->value = value;
    node->height = height;
    return node;
}

/* One level in two, a quarter in three and so on (xorshift). */
static int random_height(struct visitor *visitor) {
    uint32_t random = visitor->random;
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    visitor->random = random;
    int height = 1;
    while (height < LEVELS && (random & 1u << height))
        height++;
    return height;
}

struct skiplist *skiplist_new(void) {
    struct skiplist *list = memory_take(sizeof *list);
    list->head.height = LEVELS;
    return list;
}

void skiplist_free(struct skiplist *list) {
    word link = atomic_load(&list->head.next[0]);
    while (node_of(link) != NULL) {
        struct node *node = node_of(link);
        link = atomic_load(&node->next[0]);
        memory_give_back(node);
    }
    memory_give_back(list);
}

static bool change_link(struct node *before, int level, struct node *from, struct node *to) {
    word expected = (word)from;
    return atomic_compare_exchange_strong(&before->next[level], &expected, (word)to);
}

/* Goes along one level to the key, and takes marked nodes out on the way. False: a link that had
 * to be changed is no longer what it was. */
static bool find_on_level(struct node *before, word key, int level, struct place *place) {
    word link = atomic_load(&before->next[level]);
    if (link & MARK)
        return false;
    struct node *node = node_of(link);
    while (node != NULL) {
        word next = atomic_load(&node->next[level]);
        if (next & MARK) {
            if (!change_link(before, level, node, node_of(next)))
                return false;
        } else {
            if (node->key >= key)
                break;
            before = node;
        }
        node = node_of(next);
    }
    place->before[level] = before;
    place->at[level] = node;
    return true;
}

static bool try_find(struct skiplist *list, word key, struct place *place) {
    struct node *before = &list->head;
    for (int level = LEVELS - 1; level >= 0; level--) {
        if (!find_on_level(before, key, level, place))
            return false;
        before = place->before[level];
    }
    return true;
}

/* The node with this key, or NULL, and its neighbours on all levels. */
static struct node *find(struct skiplist *list, word key, struct place *place) {
    while (!try_find(list, key, place))
        ;
    struct node *node = place->at[0];
    return node != NULL && node->key == key ? node : NULL;
}

/* Looks only, and goes past marked nodes. */
word skiplist_lookup(struct skiplist *list, word key) {
    struct node *before = &list->head;
    struct node *node = NULL;
    for (int level = LEVELS - 1; level >= 0; level--) {
        node = node_of(atomic_load(&before->next[level]));
        while (node != NULL && node->key < key) {
            before = node;
            node = node_of(atomic_load(&node->next[level]));
        }
    }
    if (node == NULL || node->key != key || (atomic_load(&node->next[0]) & MARK))
        return ABSENT;
    return node->value;
}

/* Lets a fresh node point to what follows it on a level; false: it is being removed already. */
static bool aim(struct node *fresh, int level, struct node *at) {
    word old = atomic_load(&fresh->next[level]);
    while (!(old & MARK) && node_of(old) != at)
        if (atomic_compare_exchange_strong(&fresh->next[level], &old, (word)at))
            break;
    return !(old & MARK);
}

/* One shortcut; false: who removes the node has marked its links, so that there is no use. */
static bool link_on_level(struct skiplist *list, struct node *fresh, int level, struct place *place) {
    for (;;) {
        struct node *at = place->at[level];
        /* A node of the same key was not removed yet when we passed here. Behind the fresh one
         * nobody would find it, so that it has to go first. */
#ifdef BAD
        bool is_stale = false;
#else
        bool is_stale = at != NULL && at->key == fresh->key;
#endif
        if (!is_stale) {
            if (!aim(fresh, level, at))
                return false;
            if (change_link(place->before[level], level, at, fresh))
                return true;
        }
        if (find(list, fresh->key, place) != fresh)
            return false;
    }
}

static void link_above(struct skiplist *list, struct node *fresh, struct place *place) {
    int level = 1;
    while (level < fresh->height && link_on_level(list, fresh, level, place))
        level++;
    /* It may have been linked after it was removed, and nobody else may come by any more. */
    if (atomic_load(&fresh->next[0]) & MARK)
        find(list, fresh->key, place);
}

word skiplist_put(struct skiplist *list, struct visitor *visitor, word key, word value) {
    struct place place;
    struct node *fresh = NULL;
    for (;;) {
        struct node *found = find(list, key, &place);
        if (found != NULL) {
            if (fresh != NULL)
                memory_give_back(fresh);
            return found->value;
        }
        if (fresh == NULL)
            fresh = node_new(key, value, random_height(visitor));
        for (int level = 0; level < fresh->height; level++)
            atomic_store(&fresh->next[level], (word)place.at[level]);
        if (change_link(place.before[0], 0, place.at[0], fresh))
            break;
    }
    link_above(list, fresh, &place);
    return ABSENT;
}

/* Whether it was us who marked the link. */
static bool mark(struct node *node, int level) {
    return !(atomic_fetch_or(&node->next[level], MARK) & MARK);
}

word skiplist_remove(struct skiplist *list, struct visitor *visitor, word key) {
    struct place place;
    struct node *node = find(list, key, &place);
    if (node == NULL)
        return ABSENT;
    for (int level = node->height - 1; level > 0; level--)
        mark(node, level);
    /* Who marks the lowest link is the one who has removed the key. */
    if (!mark(node, 0))
        return ABSENT;
    find(list, key, &place);
    memory_retire(&visitor->memory, node);
    return node->value;
}

static bool is_on_level(struct skiplist *list, int level, struct node *wanted) {
    struct node *node = node_of(atomic_load(&list->head.next[level]));
    while (node != NULL && node != wanted)
        node = node_of(atomic_load(&node->next[level]));
    return node == wanted;
}

bool skiplist_is_sound(struct skiplist *list) {
    for (int level = 0; level < LEVELS; level++) {
        word last = 0;
        word link = atomic_load(&list->head.next[level]);
        while (node_of(link) != NULL) {
            struct node *node = node_of(link);
            if (node->key <= last || node->height <= level)
                return false;
            if (level > 0 && !is_on_level(list, level - 1, node))
                return false;
            last = node->key;
            link = atomic_load(&node->next[level]);
            if (link & MARK)
                return false;
        }
    }
    return true;
}
