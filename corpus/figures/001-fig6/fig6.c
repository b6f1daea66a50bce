/* Paper 001, Figure 6: one thread fills a structure through p, the other moves p.
 * Fails where p moves after thr1 has copied it: some fields go elsewhere. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <unpick.h>

typedef struct {
    int a, b, c;
} Data;

static Data store[4];
static Data *A[4] = {&store[0], &store[1], &store[2], &store[3]};
static Data *p;

static void *thr1(void *arg) {
    (void)arg;
    Data *tmp = p;
    if (tmp != NULL) {
        p->a = 100;
        p->b = 200;
        p->c = 300;
        R_assert(tmp->a == 100 && tmp->b == 200 && tmp->c == 300);
    }
    return NULL;
}

static void *thr2(void *arg) {
    (void)arg;
    p = A[rand() % 3];
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    p = A[0];
    pthread_create(&t1, NULL, thr1, NULL);
    pthread_create(&t2, NULL, thr2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
