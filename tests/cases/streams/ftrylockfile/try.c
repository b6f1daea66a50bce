#include <assert.h>
#include <pthread.h>
#include <stdio.h>

/* The lock is recursive, and who does not get it goes away. */
static int inside;

static void *print(void *unused)
{
    if (ftrylockfile(stdout) != 0)
        return unused;
    flockfile(stdout);
    assert(++inside == 1);
    inside--;
    funlockfile(stdout);
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
