#include "people.h"
#include "turnstile.h"

void let_in(int people) {
  std::vector<std::thread> all;
  for (int i = 0; i < people; i++)
    all.emplace_back(enter);
  for (auto &one : all)
    one.join();
}
