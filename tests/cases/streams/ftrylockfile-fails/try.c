#include <assert.h>
#include <pthread.h>
#include <stdio.h>

/* Who does not get the lock goes on as if it had. */
static int inside;

static void *print(void *unused)
{
    int got = ftrylockfile(stdout) == 0;
    assert(++inside == 1);
    inside--;
    if (got)
        funlockfile(stdout);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, print, 0);
    print(0);
    pthread_join(other, 0);
    return 0;
}
