#include <pthread.h>
#include <stdio.h>

/* A line is printed in two parts, under the lock of the stream. */
static void *print(void *name)
{
    flockfile(stdout);
    fputs("begin ", stdout);
    printf("%s\n", (char *)name);
    funlockfile(stdout);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, print, "one");
    pthread_create(&two, 0, print, "two");
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
