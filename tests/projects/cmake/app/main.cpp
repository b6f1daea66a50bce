#include "account.h"
#include "report.h"
#include <cassert>
#include <cstdio>
#include <dlfcn.h>
#include <thread>

int main() {
  void *plugin = dlopen("tariff.so", RTLD_NOW);
  if (!plugin) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 9;
  }
  auto charge = reinterpret_cast<void (*)(int)>(dlsym(plugin, "charge"));
  std::thread customer([] { deposit(10); });
  std::thread fees([charge] { charge(1); });
  customer.join();
  fees.join();
  std::puts(report(balance).c_str());
  assert(balance == 9);
}
