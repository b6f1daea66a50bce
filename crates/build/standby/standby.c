/* A compiler that waits, started, for what it is to compile (see ../src/standby.rs).
 *
 * Preloaded into clang. In place of `main` it serves: each connection on standard input is a call, for which it forks twice:
 * one process waits, the other one goes on into the compiler's own `main` with the caller's words.
 *
 * A call is a sequence of strings, each with its zero: folder, file for standard output, file for standard error, folder
 * for temporary files (or nothing), and the words. The answer is the exit status, as an int.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int Main(int, char **, char **);

static Main *compiler;

/* All that comes until the other side says no more. */
static char *receive(int caller, size_t *length) {
    size_t space = 1 << 16;
    char *text = malloc(space);
    for (*length = 0; text;) {
        ssize_t more = read(caller, text + *length, space - *length);
        if (more < 0) return NULL;
        if (more == 0) return text;
        *length += (size_t)more;
        if (*length == space) text = realloc(text, space *= 2);
    }
    return NULL;
}

static int file(const char *path) { return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666); }

static void compile(char **words, int count) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int in = open("/dev/null", O_RDONLY), out = file(words[1]), err = file(words[2]);
    if (chdir(words[0]) || in < 0 || out < 0 || err < 0) _exit(127);
    if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(127);
    if (*words[3]) setenv("TMPDIR", words[3], 1);
    exit(compiler(count - 4, words + 4, environ));
}

static void answer(int caller) {
    size_t length = 0;
    char *text = receive(caller, &length);
    if (!text || !length || text[length - 1]) return;
    int count = 0;
    for (size_t i = 0; i < length; i++) count += !text[i];
    char **words = calloc((size_t)count + 1, sizeof *words), *at = text;
    if (!words || count < 5) return;
    for (int i = 0; i < count; i++, at += strlen(at) + 1) words[i] = at;
    pid_t child = fork();
    if (child == 0) compile(words, count);
    if (child < 0) return;
    /* Whoever asked may be gone before there is an answer. */
    struct pollfd events[2] = {{caller, 0, 0}, {(int)syscall(SYS_pidfd_open, child, 0), POLLIN, 0}};
    while (poll(events, 2, -1) < 0 || !events[1].revents) {
        if (events[0].revents) {
            kill(child, SIGKILL);
            break;
        }
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) return;
    status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (send(caller, &status, sizeof status, MSG_NOSIGNAL) < 0) return;
}

static int is_ours(int caller) {
    struct ucred who;
    socklen_t size = sizeof who;
    return !getsockopt(caller, SOL_SOCKET, SO_PEERCRED, &who, &size) && who.uid == geteuid();
}

static int serve(int count, char **words, char **environment) {
    (void)count, (void)words, (void)environment;
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) _exit(127);
    path[length] = 0;
    /* Not the shell of a script that goes by clang's name. */
    if (!strstr(path, "clang")) _exit(127);
    unsetenv("LD_PRELOAD");
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        int caller = accept4(0, NULL, NULL, SOCK_CLOEXEC);
        if (caller < 0) _exit(0);
        if (is_ours(caller) && fork() == 0) {
            signal(SIGCHLD, SIG_DFL);
            close(0);
            answer(caller);
            _exit(0);
        }
        close(caller);
    }
}

typedef int Start(Main *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

int __libc_start_main(Main *main, int count, char **words, void (*begin)(void), void (*end)(void), void (*last)(void),
                      void *stack) {
    compiler = main;
    Start *start = (Start *)dlsym(RTLD_NEXT, "__libc_start_main");
    return start(serve, count, words, begin, end, last, stack);
}
