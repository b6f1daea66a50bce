#include <assert.h>
#include <fcntl.h>
#include <pthread.h>

/* How its output is written is changed and left so: the next run begins without that. */
static void *change(void *unused)
{
    fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_NONBLOCK);
    return unused;
}

int main(void)
{
    pthread_t changer;
    assert(!(fcntl(1, F_GETFL) & O_NONBLOCK));
    pthread_create(&changer, 0, change, 0);
    pthread_join(changer, 0);
    assert(fcntl(1, F_GETFL) & O_NONBLOCK);
    return 0;
}
