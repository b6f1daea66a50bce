extern void abort(void);
void reach_error(void) { ((void)0); }
#include <pthread.h>

void __VERIFIER_assert(int expression) {
    if (!expression) {
    ERROR: { reach_error(); abort(); }
    }
}

int i = 3, j = 6;

void *t1(void *arg) {
    for (int k = 0; k < 2; k++)
        i = j + 1;
    return 0;
}

void *t2(void *arg) {
    for (int k = 0; k < 2; k++)
        j = i + 1;
    return 0;
}

int main(int argc, char **argv) {
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    int condI = i >= 9;
    __VERIFIER_assert(!condI);
    return 0;
}
