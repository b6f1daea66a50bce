#include <assert.h>

static int balance;

void *deposit(void *unused) {
  balance++;
  return unused;
}

void check(void) {
  assert(balance == 2);
}
