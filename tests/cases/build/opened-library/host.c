#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

int main(void) {
  void *plugin = dlopen("plugin.so", RTLD_NOW);
  if (!plugin) {
    fprintf(stderr, "%s\n", dlerror());
    return 9;
  }
  void *(*deposit)(void *) = (void *(*)(void *))dlsym(plugin, "deposit");
  void (*check)(void) = (void (*)(void))dlsym(plugin, "check");
  pthread_t a, b;
  pthread_create(&a, 0, deposit, 0);
  pthread_create(&b, 0, deposit, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  check();
  return 0;
}
