#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char path[32] = "a/b";
    strcat(path, "/c.txt");
    assert(strcmp(strrchr(path, '/'), "/c.txt") == 0);
    assert(strstr(path, "b/") == path + 2 && strstr(path, "zz") == NULL);
    strncat(path, "12345", 2);
    assert(strlen(path) == 11 && path[10] == '2');
    assert(strspn("aabbc", "ab") == 4 && strcspn("aabbc", "c") == 4);
    assert(strnlen("abc", 2) == 2 && memchr("abc", 'd', 3) == NULL);
    char *twin = strdup(path);
    if (twin) {
        twin[0] = 'z';
        assert(path[0] == 'a');
        free(twin);
    }
    return 0;
}
