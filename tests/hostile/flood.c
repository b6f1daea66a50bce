// Prints for ever, to both outputs.
#include <unistd.h>

static char block[1 << 16];
int main(void) {
  for (;;)
    if (write(1, block, sizeof block) < 0 || write(2, block, sizeof block) < 0)
      return 7;
}
