#include <pthread.h>
#include <stdlib.h>

static struct part { int *data; int from, to; } parts[2];

static void *square(void *arg) {
    struct part *part = arg;
    for (int i = part->from; i < part->to; i++)
        part->data[i] = i * i;
    return arg;
}

int main(void) {
    int *data = malloc(6 * sizeof *data);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        parts[i] = (struct part){data, i * 3, i * 3 + 3};
        pthread_create(&threads[i], 0, square, &parts[i]);
    }
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    int last = data[5];
    free(data);
    return last != 25;
}
