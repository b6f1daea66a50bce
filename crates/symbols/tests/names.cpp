// As names.c, for what C++ adds.
#include <array>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

extern "C" char __ehdr_start;

static void global(const char *name, const void *address) {
  std::printf("G %s %p\n", name, address);
}
__attribute__((noinline)) static void slot(const char *name, void *address, void *frame) {
  std::printf("S %s %p %ld\n", name, __builtin_return_address(0),
              (long)((char *)address - (char *)frame));
}
#define SLOT(name, address) slot(name, address, __builtin_frame_address(0))
__attribute__((noinline)) static void place(const char *function, int line) {
  std::printf("P %s %d %p\n", function, line, __builtin_return_address(0));
}

struct Empty {};
struct Base {
  int base;
};
struct Virtual {
  virtual ~Virtual() {}
  int after;
};

class Account : Empty, public Base {
public:
  static int total;
  static inline int open = 0;
  std::mutex lock;
  std::atomic<int> count;
  std::string owner;
  int balance = 0;
  void withdraw(int amount) {
    static int calls;
    global("Account::withdraw::calls", &calls);
    SLOT("this", (void *)&*(Account **)((char *)__builtin_frame_address(0) - 8));
    SLOT("amount", &amount);
    balance -= amount;
    place("Account::withdraw", __LINE__);
  }
  void names() {
    global("bank::account.base", &base);
    global("bank::account.lock", &lock);
    global("bank::account.count", &count);
    global("bank::account.owner", (char *)&owner + 8);
    global("bank::account.balance", &balance);
  }
};
int Account::total;

namespace bank {
Account account;
int rate;
namespace inner {
int deep;
struct Holder {
  static long held;
};
long Holder::held;
} // namespace inner
namespace {
int secret;
}
} // namespace bank

template <class T> struct Box {
  static T shared;
  T value;
};
template <class T> T Box<T>::shared;
template struct Box<int>;
Box<short> box;
Virtual with_table;
std::mutex mutex;
std::atomic<int> counter;
std::array<Base, 4> bases;
std::pair<int, long> two;
std::thread threads[2];
std::string title;

template <class T> T twice(T value) {
  place("twice<int>", __LINE__);
  return value + value;
}

int main() {
  std::printf("B %p\n", (void *)&__ehdr_start);
  bank::account.names();
  bank::account.withdraw(1);
  global("Account::total", &Account::total);
  global("Account::open", &Account::open);
  global("bank::rate", &bank::rate);
  global("bank::inner::deep", &bank::inner::deep);
  global("bank::inner::Holder::held", &bank::inner::Holder::held);
  global("bank::secret", &bank::secret);
  global("Box<int>::shared", &Box<int>::shared);
  global("box.value", &box.value);
  global("with_table.after", &with_table.after);
  global("mutex", (char *)&mutex + 4);
  global("counter", &counter);
  global("bases[2].base", &bases[2].base);
  global("two.second", &two.second);
  global("threads[1]", &threads[1]);
  global("title", (char *)&title + 8);
  twice(2);
  int local = 1;
  auto lambda = [&] {
    place("main::{lambda#1}", __LINE__);
    return local;
  };
  Account own;
  std::string text;
  SLOT("text", (char *)&text + 8);
  SLOT("own.balance", &own.balance);
  SLOT("own.lock", &own.lock);
  return lambda() - 1;
}
