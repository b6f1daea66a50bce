#include <assert.h>
#include <pthread.h>
#include <unpick.h>
int shared;
void *t(void *a) { shared = 1; return a; }
int main(void) {
    pthread_t one;
    int n = unpick_choose_int(5, 9);
    pthread_create(&one, 0, t, 0);
    assert(!(n == 7 && shared == 1));
    pthread_join(one, 0);
    return 0;
}
