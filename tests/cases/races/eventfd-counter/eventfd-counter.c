#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int counter, parts[2];

static void *part(void *arg) {
    *(int *)arg = 1;
    uint64_t one = 1;
    return write(counter, &one, sizeof one) == sizeof one ? arg : 0;
}

int main(void) {
    counter = eventfd(0, 0);
    pthread_t one, two;
    pthread_create(&one, 0, part, &parts[0]);
    pthread_create(&two, 0, part, &parts[1]);
    uint64_t sum = 0, more;
    while (sum < 2 && read(counter, &more, sizeof more) == sizeof more)
        sum += more;
    int both = parts[0] + parts[1];
    parts[1] = 0;
    pthread_join(one, 0);
    pthread_join(two, 0);
    return both != 2;
}
