#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[5];
    sprintf(text, "%d-%s", 12, "ab");
    assert(text[2] == '-');
    return 0;
}
