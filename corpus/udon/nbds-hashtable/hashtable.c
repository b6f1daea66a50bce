#include "hashtable.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* What an entry's value is. A value V goes from EMPTY to V, to other values and to REMOVED; when
 * the table is being copied it is frozen, and COPIED as soon as the next table has it. A key never
 * leaves its entry. */
#define EMPTY ((word)0)
#define FROZEN ((word)1)
#define REMOVED ((word)2)
#define COPIED (REMOVED | FROZEN)
#define PLAIN(value) ((word)(value) << 2)

/* How many entries who comes by copies for the others. */
#define CHUNK 2

struct entry {
    _Atomic word key;  /* EMPTY: nobody has it yet */
    _Atomic word value;
};

struct table {
    unsigned scale;
    _Atomic(struct table *) next;  /* where everything is being copied to */
    atomic_uint keys;              /* how many entries are taken */
    atomic_uint handed_out;        /* how many entries somebody has begun to copy */
    atomic_uint copied;
    struct entry entries[];
};

struct hashtable {
    _Atomic(struct table *) table;
};

/* Who does something to which map. */
struct visit {
    struct hashtable *map;
    struct memory *mine;
};

static word put_in(struct visit *visit, struct table *table, word key, word value, enum when when);

static unsigned size_of(const struct table *table) {
    return 1u << table->scale;
}

/* A key that is not found within so many entries is not in the table. */
static unsigned probes_of(const struct table *table) {
    return size_of(table) < 8 ? size_of(table) : 8 + size_of(table) / 8;
}

static bool is_plain(word value) {
    return value != EMPTY && value != REMOVED && !(value & FROZEN);
}

static struct table *table_new(unsigned scale) {
    struct table *table = memory_take(sizeof *table + sizeof(struct entry) * ((size_t)1 << scale));
    table->scale = scale;
    return table;
}

struct hashtable *hashtable_new(unsigned scale) {
    struct hashtable *map = memory_take(sizeof *map);
    atomic_init(&map->table, table_new(scale));
    return map;
}

void hashtable_free(struct hashtable *map) {
    struct table *table = atomic_load(&map->table);
    while (table != NULL) {
        struct table *next = atomic_load(&table->next);
        memory_give_back(table);
        table = next;
    }
    memory_give_back(map);
}

static unsigned hash(word key) {
    uint64_t mixed = (uint64_t)key * 0x9e3779b97f4a7c15u;
    return (unsigned)(mixed >> 40);
}

/* The entry that has the key, or the free one that it would get; NULL: there is none. */
static struct entry *probe(struct table *table, word key, bool *is_free) {
    unsigned first = hash(key), mask = size_of(table) - 1;
    for (unsigned i = 0; i < probes_of(table); i++) {
        struct entry *entry = &table->entries[(first + i) & mask];
        word there = atomic_load(&entry->key);
        *is_free = there == EMPTY;
        if (*is_free || there == key)
            return entry;
    }
    return NULL;
}

/* As `probe`, but the entry is ours if it was free. */
static struct entry *claim(struct table *table, word key) {
    for (;;) {
        bool is_free;
        struct entry *entry = probe(table, key, &is_free);
        if (entry == NULL || !is_free)
            return entry;
        word nobody = EMPTY;
        if (atomic_compare_exchange_strong(&entry->key, &nobody, key)) {
            atomic_fetch_add(&table->keys, 1);
            return entry;
        }
    }
}

/* ---- Growing. */

/* Begins to copy into a larger table, unless somebody has begun already. */
static struct table *grow(struct table *table) {
    struct table *next = atomic_load(&table->next);
    if (next != NULL)
        return next;
    struct table *fresh = table_new(table->scale + 1);
    if (atomic_compare_exchange_strong(&table->next, &next, fresh))
        return fresh;
    memory_give_back(fresh);
    return next;
}

/* The last one that copies an entry puts the next table in the place of this one. */
static void count_copied(struct visit *visit, struct table *table) {
    unsigned before = atomic_fetch_add(&table->copied, 1);
    if (before + 1 < size_of(table))
        return;
    struct table *expected = table;
    struct table *next = atomic_load(&table->next);
    if (atomic_compare_exchange_strong(&visit->map->table, &expected, next))
        memory_retire(visit->mine, table);
}

/* From here on nobody can change the entry in this table. */
static word freeze(struct visit *visit, struct table *table, struct entry *entry) {
    word value = atomic_load(&entry->value);
    while (!(value & FROZEN)) {
        word frozen = is_plain(value) ? value | FROZEN : COPIED;
        if (!atomic_compare_exchange_strong(&entry->value, &value, frozen))
            continue;
        if (frozen == COPIED)
            count_copied(visit, table);
        return frozen;
    }
    return value;
}

/* Afterwards the entry's value is in the next table. */
static void copy_entry(struct visit *visit, struct table *table, struct entry *entry) {
    word value = freeze(visit, table, entry);
    if (value == COPIED)
        return;
    struct table *next = atomic_load(&table->next);
    word key = atomic_load(&entry->key);
    /* Only into an entry that never had a value: anything there is newer. */
    for (;;) {
        struct entry *target = claim(next, key);
        if (target == NULL) {
            next = grow(next);
            continue;
        }
#ifdef BAD /* what is there may be newer */
        atomic_store(&target->value, value & ~FROZEN);
        break;
#endif
        word nothing = EMPTY;
        if (atomic_compare_exchange_strong(&target->value, &nothing, value & ~FROZEN))
            break;
        if (nothing != COPIED)
            break;
        next = atomic_load(&next->next);
    }
    if (atomic_compare_exchange_strong(&entry->value, &value, COPIED))
        count_copied(visit, table);
}

static void help_copying(struct visit *visit, struct table *table) {
    unsigned first = atomic_fetch_add(&table->handed_out, CHUNK);
    for (unsigned i = first; i < first + CHUNK && i < size_of(table); i++)
        copy_entry(visit, table, &table->entries[i]);
}

/* Three quarters. */
static bool is_crowded(struct table *table) {
    return atomic_load(&table->keys) * 4 > size_of(table) * 3;
}

/* ---- One table, and if it is being copied the next. */

static bool may(word there, enum when when) {
    return when == ALWAYS || is_plain(there) == (when == IF_PRESENT);
}

static word visible(word value) {
    return is_plain(value) ? value : EMPTY;
}

static word move_on(struct visit *visit, struct table *table, word key, word value, enum when when) {
    struct table *next = atomic_load(&table->next);
    help_copying(visit, table);
    return put_in(visit, next, key, value, when);
}

static word put_in(struct visit *visit, struct table *table, word key, word value, enum when when) {
    bool is_free = false;
    struct entry *entry = when == IF_PRESENT ? probe(table, key, &is_free) : claim(table, key);
    if (entry == NULL && when != IF_PRESENT)
        grow(table);
    if (entry == NULL || is_free) {
        if (atomic_load(&table->next) == NULL)
            return EMPTY;
        return move_on(visit, table, key, value, when);
    }
    if (is_crowded(table) && atomic_load(&entry->value) == EMPTY)
        grow(table);
    if (atomic_load(&table->next) != NULL) {
        copy_entry(visit, table, entry);
        return move_on(visit, table, key, value, when);
    }
    word there = atomic_load(&entry->value);
    while (!(there & FROZEN)) {
        if (!may(there, when) || atomic_compare_exchange_strong(&entry->value, &there, value))
            return visible(there);
    }
    copy_entry(visit, table, entry);
    return move_on(visit, table, key, value, when);
}

static word get_from(struct visit *visit, struct table *table, word key) {
    bool is_free = false;
    struct entry *entry = probe(table, key, &is_free);
    if (entry != NULL && !is_free) {
        word value = atomic_load(&entry->value);
        if (!(value & FROZEN))
            return visible(value);
        copy_entry(visit, table, entry);
    }
    struct table *next = atomic_load(&table->next);
    return next == NULL ? EMPTY : get_from(visit, next, key);
}

/* ---- The whole. */

word hashtable_get(struct hashtable *map, struct memory *mine, word key) {
    struct visit visit = {map, mine};
    return get_from(&visit, atomic_load(&map->table), key) >> 2;
}

word hashtable_put(struct hashtable *map, struct memory *mine, word key, word value, enum when when) {
    struct visit visit = {map, mine};
    return put_in(&visit, atomic_load(&map->table), key, PLAIN(value), when) >> 2;
}

word hashtable_remove(struct hashtable *map, struct memory *mine, word key) {
    struct visit visit = {map, mine};
    return put_in(&visit, atomic_load(&map->table), key, REMOVED, IF_PRESENT) >> 2;
}

unsigned hashtable_count(struct hashtable *map) {
    unsigned count = 0;
    struct table *table = atomic_load(&map->table);
    /* A value that has not been copied yet is frozen; one that has been is counted there. */
    for (; table != NULL; table = atomic_load(&table->next))
        for (unsigned i = 0; i < size_of(table); i++) {
            word value = atomic_load(&table->entries[i].value) & ~FROZEN;
            count += value != EMPTY && value != REMOVED;
        }
    return count;
}
