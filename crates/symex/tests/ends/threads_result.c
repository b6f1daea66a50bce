// end: exit 1
// end: exit 2
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

static void *choose(void *given) {
    int *box = given;
    int *result = malloc(sizeof *result);
    *result = *box > 10 ? 1 : 2;
    return result;
}
int main(void) {
    int input = __VERIFIER_nondet_int();
    pthread_t one;
    void *result;
    pthread_create(&one, NULL, choose, &input);
    pthread_join(one, &result);
    int status = *(int *)result;
    free(result);
    return status;
}
