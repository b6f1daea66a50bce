#include <pthread.h>

static int next_item, items[4];

static void *work(void *arg) {
    int mine = next_item++;
    items[mine] = 1;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
