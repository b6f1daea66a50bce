// With gcc: copies of the C library, atomics, a structure's copy, and an exception that leaves a function.
#include <atomic>
#include <cassert>
#include <cstring>
#include <stdexcept>
#include <thread>

static std::atomic<int> turns;
static char from[64] = "text", to[64];
static int caught;

static void risky() {
  std::memcpy(to, from, sizeof to);
  turns.fetch_add(1);
  throw std::runtime_error("on purpose");
}

static void work() {
  try {
    risky();
  } catch (const std::exception &) {
    caught++;
  }
}

int main() {
  std::thread one(work), other(work);
  one.join();
  other.join();
  assert(turns == 2 && !std::strcmp(to, "text"));
  assert(caught == 2);
}
