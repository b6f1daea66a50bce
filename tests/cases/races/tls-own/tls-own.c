#include <pthread.h>

static __thread int depth;

static int descend(int n) {
    depth++;
    return n == 0 ? depth : descend(n - 1);
}

static void *run(void *arg) {
    return descend(2) == 3 ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    int mine = descend(1);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return mine != 2;
}
