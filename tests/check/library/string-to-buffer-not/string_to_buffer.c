#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[5];
    int n = snprintf(text, sizeof text, "%d-%s", 12, "ab");
    assert(n == 5 && strcmp(text, "12-a") == 0);
    return 0;
}
