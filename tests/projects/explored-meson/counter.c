#include "counter.h"

int counter;

void raise_counter(void) {
  int seen = counter;
  counter = seen + STEP;
}
