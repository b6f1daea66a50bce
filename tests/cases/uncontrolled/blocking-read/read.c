/* A read from a pipe that nobody writes to: the process waits in the kernel.
 * It is noticed, told with the place, and nothing is left running. */
#include <stddef.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    char c;
    if (pipe(ends) != 0)
        return 1;
    return read(ends[0], &c, 1) == 1;
}
