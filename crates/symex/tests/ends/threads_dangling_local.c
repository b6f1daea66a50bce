// end: fails UseAfterReturn
#include <pthread.h>

static pthread_t one;
static void *use(void *given) {
    *(int *)given = 1;
    return NULL;
}
static void start(void) {
    int local = 0;
    pthread_create(&one, NULL, use, &local);
}
int main(void) {
    start();
    pthread_join(one, NULL);
    return 0;
}
