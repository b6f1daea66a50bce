/* A small tree of folders and files in memory, in place of a disk. */
#ifndef TREE_H
#define TREE_H

struct entry {
    const char *name;
    const char *text;              /* of a file; NULL: a folder */
    const struct entry *children;  /* of a folder; the last one has no name */
};

extern const struct entry root;

#endif
