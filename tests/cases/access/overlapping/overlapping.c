/* memmove within one array, upwards and downwards, while another thread waits for its turn.
 * What is copied is what was there before, in every schedule. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char line[] = "abcdef";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *up(void *arg) {
    pthread_mutex_lock(&lock);
    memmove(line + 1, line, 5);
    memmove(line, line + 1, 5);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, up, NULL);
    pthread_mutex_lock(&lock);
    line[5] = 'x';
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(memcmp(line, "abcde", 5) == 0 && (line[5] == 'x' || line[5] == 'e'));
    return 0;
}
