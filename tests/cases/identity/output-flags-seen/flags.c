#include <assert.h>
#include <fcntl.h>
#include <pthread.h>

/* The one who looks comes later than the one who changes it. */
static void *change(void *unused)
{
    fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_NONBLOCK);
    return unused;
}

int main(void)
{
    pthread_t changer;
    pthread_create(&changer, 0, change, 0);
    pthread_join(changer, 0);
    assert(!(fcntl(1, F_GETFL) & O_NONBLOCK));
    return 0;
}
