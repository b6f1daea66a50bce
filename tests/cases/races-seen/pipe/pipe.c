#include <pthread.h>
#include <unistd.h>

static int ends[2];
static int sent, unsent;

static void *receiver(void *arg)
{
    char byte;
    if (read(ends[0], &byte, 1) != 1)
        return arg;
    return (void *)(long)(sent + unsent);
}

int main(void)
{
    pthread_t thread;
    char byte = 1;
    if (pipe(ends))
        return 2;
    pthread_create(&thread, 0, receiver, 0);
    sent = 1;
    if (write(ends[1], &byte, 1) != 1)
        return 2;
    unsent = 1;
    pthread_join(thread, 0);
    return 0;
}
