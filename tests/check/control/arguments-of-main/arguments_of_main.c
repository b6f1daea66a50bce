#include <assert.h>
#include <stddef.h>

int main(int argc, char **argv) {
    assert(argc >= 0);
    assert(argv[argc] == NULL);
    return 0;
}
