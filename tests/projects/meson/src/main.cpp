#include "people.h"
#include "turnstile.h"
#include <cstdlib>

int main() {
  let_in(2);
  if (inside() != 2)
    std::abort();
}
