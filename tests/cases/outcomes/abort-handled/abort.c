/* A SIGABRT that the program itself raises and handles is no abort.
 * It goes on behind raise(). */
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t seen;

static void handler(int signal) {
    (void)signal;
    seen = 1;
}

int main(void) {
    signal(SIGABRT, handler);
    raise(SIGABRT);
    assert(seen == 1);
    return 0;
}
