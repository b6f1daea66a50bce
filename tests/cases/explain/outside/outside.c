// What another library gives is not known: the way depends on it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <locale.h>
static int x;

static void *one(void *arg) {
    struct lconv *conventions = localeconv();
    if (conventions->frac_digits == 3)
        x = 5;
    x = x + 1;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, one, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
    return 0;
}
