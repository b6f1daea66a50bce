// Every process forks, and so do its children; all but the first one stay. Harmless where nobody ends
// them: there are 128, and a limit besides.
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct rlimit few = {300, 300};
  setrlimit(RLIMIT_NPROC, &few);
  pid_t first = getpid();
  int away = argc > 1 && strcmp(argv[1], "away") == 0;
  for (int level = 0; level < 7; level++)
    if (fork() == 0 && away)
      setsid();
  while (getpid() != first)
    pause();
  return 0;
}
