#include "search.h"

#include <string.h>

static unsigned char folded(const struct pattern *pattern, unsigned char c) {
    return pattern->any_case && c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

void pattern_compile(struct pattern *pattern, const char *word, bool any_case) {
    pattern->word = (const unsigned char *)word;
    pattern->length = strlen(word);
    pattern->any_case = any_case;
    for (int c = 0; c < 256; c++)
        pattern->shift[c] = pattern->length;
    for (size_t i = 0; i + 1 < pattern->length; i++)
        pattern->shift[folded(pattern, pattern->word[i])] = pattern->length - 1 - i;
}

static bool fits(const struct pattern *pattern, const unsigned char *text) {
    for (size_t i = pattern->length; i-- > 0;)
        if (folded(pattern, text[i]) != folded(pattern, pattern->word[i]))
            return false;
    return true;
}

size_t pattern_find(const struct pattern *pattern, const char *text, size_t length, size_t from) {
    const unsigned char *bytes = (const unsigned char *)text;
    if (pattern->length == 0)
        return length;
    while (from + pattern->length <= length) {
        if (fits(pattern, bytes + from))
            return from;
        from += pattern->shift[folded(pattern, bytes[from + pattern->length - 1])];
    }
    return length;
}
