#include <assert.h>
#include <pthread.h>
#include <stdio.h>

/* Two threads read from one stream: who reads first is not said. */
static FILE *stream;

static void *read_one(void *unused)
{
    (void)unused;
    return (void *)(long)getc(stream);
}

int main(void)
{
    pthread_t other;
    void *got;
    stream = fmemopen("ab", 2, "r");
    pthread_create(&other, 0, read_one, 0);
    int mine = getc(stream);
    pthread_join(other, &got);
    assert(mine == 'a' && (long)got == 'b');
    return 0;
}
