// Does what its argument says, after two threads raced; with a second argument only after one of the
// orders, and another one is a bug.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int counter;
static const char *what;
static char **arguments, **environment;

static int is(const char *name) { return strcmp(what, name) == 0; }

static void overwrite_stack(void) {
  char here;
  char *at = &here;
  for (int i = 0; i < 1 << 16; i++)
    *(volatile char *)(at + i) = 0x41;
}

static int recurse(int depth) {
  char room[1000];
  room[depth % 1000] = (char)depth;
  return recurse(depth + 1) + room[(depth + 1) % 1000];
}

static void overwrite_text(void) {
  for (char **each = arguments; *each; each++)
    memset(*each, 'x', strlen(*each));
  for (char **each = environment; *each; each++)
    memset(*each, 'y', strlen(*each));
}

// The shared memory with the engine, found as malice would find it.
static void our_memory(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[512];
  while (maps && fgets(line, sizeof line, maps)) {
    unsigned long from, to;
    if (!strstr(line, "memfd:unpick") || sscanf(line, "%lx-%lx", &from, &to) != 2)
      continue;
    if (is("unmap"))
      munmap((void *)from, to - from);
    else if (is("wipe"))
      counter += (int)read(open("/dev/zero", O_RDONLY), (void *)from, 16 << 10);
    else
      for (unsigned long i = 16; i < 16 << 10; i++)
        *(volatile char *)(from + i) = (char)0xff;
  }
}

static void do_it(void) {
  if (is("sigkill"))
    raise(SIGKILL);
  else if (is("sigstop"))
    raise(SIGSTOP);
  else if (is("group"))
    kill(0, SIGKILL);
  else if (is("parent"))
    syscall(SYS_kill, syscall(SYS_getppid), SIGKILL);
  else if (is("stop-parent"))
    for (syscall(SYS_kill, syscall(SYS_getppid), SIGSTOP);;)
      ;
  else if (is("close"))
    close_range(0, ~0u, 0);
  else if (is("stack"))
    overwrite_stack();
  else if (is("recursion"))
    counter = recurse(0);
  else if (is("text"))
    overwrite_text();
  else if (is("unmap") || is("overwrite") || is("wipe"))
    our_memory();
  else if (is("shadow"))
    munmap((void *)0x7B0000000000, 1ul << 37), counter++;
  else if (is("exec"))
    execl("/bin/sleep", "sleep", "1000", (char *)0);
  else if (is("exec-true"))
    execl("/bin/true", "true", (char *)0);
  else if (is("ptrace"))
    ptrace(PTRACE_TRACEME, 0, 0, 0), raise(SIGTRAP);
  else if (is("escape") && fork() == 0) {
    setsid();
    if (fork() == 0)
      sleep(1000);
    _exit(0);
  } else if (is("folder")) {
    char name[] = "goneXXXXXX";
    if (mkdtemp(name) && chdir(name) == 0)
      syscall(SYS_rmdir, "../x"), rmdir(name);
    char path[4096];
    if (getcwd(path, sizeof path))
      rmdir(path);
  } else if (is("limits")) {
    for (int i = 0; i < RLIM_NLIMITS; i++) {
      struct rlimit none = {0, 0};
      if (i != RLIMIT_CPU)
        setrlimit(i, &none);
    }
  } else if (is("nobody") && setuid(65534) == 0)
    counter = (int)getuid();
  else if (is("chroot") && chroot("/proc") == 0 && chdir("/") == 0)
    counter = 3;
  else if (is("signals")) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, 0);
    long raw = -1;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &raw, 0, 8);
    for (;;)
      counter++;
  }
}

static void *add(void *digit) {
  counter = counter * 10 + *(int *)digit;
  return 0;
}

int main(int argc, char **argv, char **env) {
  what = argc > 1 ? strdup(argv[1]) : "";
  arguments = argv;
  environment = env;
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, 0, add, &one);
  pthread_create(&b, 0, add, &two);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (argc > 2) {
    assert(counter != 12);
    if (counter != 21)
      return 0;
  }
  do_it();
  return 0;
}
