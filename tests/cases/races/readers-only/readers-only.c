#include <pthread.h>
#include <string.h>

static char text[12];
static int lengths[2];

static void *measure(void *arg) {
    *(int *)arg = (int)strlen(text) + (text[0] == 'r');
    return arg;
}

int main(void) {
    strcpy(text, "readers");
    pthread_t one, two;
    pthread_create(&one, 0, measure, &lengths[0]);
    pthread_create(&two, 0, measure, &lengths[1]);
    int same = memcmp(text, "readers", 7) == 0;
    pthread_join(one, 0);
    pthread_join(two, 0);
    return !same || lengths[0] != lengths[1];
}
