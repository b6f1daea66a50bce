/* A read from a pipe that nobody writes to: it waits for ever.
 * Both ends are ours, so nobody will ever write. */
#include <stddef.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    char c;
    if (pipe(ends) != 0)
        return 1;
    return read(ends[0], &c, 1) == 1;
}
