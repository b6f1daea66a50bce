// Takes memory and touches it, until somebody stops it; at most 8 GiB.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc > 1 && fork() != 0)
    for (;;)
      ;
  for (int i = 0; i < 512; i++) {
    char *block = malloc(16 << 20);
    if (!block)
      return 7;
    for (int page = 0; page < 16 << 20; page += 4096)
      *(volatile char *)(block + page) = 1;
  }
  for (;;)
    ;
}
