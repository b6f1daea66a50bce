#include <assert.h>
#include <stdio.h>

int main(void) {
    int n = printf("%d %s %c %5.2f %lu%%\n", -3, "text", 'c', 2.5, 7UL);
    assert(n == 19);
    fprintf(stderr, "%p\n", (void *)0);
    puts("line");
    putchar('x');
    fputs("end\n", stdout);
    fflush(stdout);
    return 0;
}
