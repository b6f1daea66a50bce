/* Searching for a word by the method of Boyer, Moore and Horspool. */
#ifndef SEARCH_H
#define SEARCH_H

#include <stdbool.h>
#include <stddef.h>

struct pattern {
    const unsigned char *word;
    size_t length;
    bool any_case;
    size_t shift[256];  /* how far the word may move where this character stands below its end */
};

void pattern_compile(struct pattern *pattern, const char *word, bool any_case);

/* Where in the text, from a position on, the word begins; the text's length if nowhere. */
size_t pattern_find(const struct pattern *pattern, const char *text, size_t length, size_t from);

#endif
