#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *text = realloc(NULL, 10);
    if (!text)
        return 0;
    for (int i = 0; i < 10; i++)
        text[i] = (char)('a' + i);
    text = realloc(text, 4);
    if (!text)
        return 0;
    char last = 0;
    for (int i = 0; i < 4; i++)
        last = text[i];
    assert(last > 'c');
    free(text);
    return 0;
}
