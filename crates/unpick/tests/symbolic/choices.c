/* Values from outside decide. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unpick.h>
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
bool __VERIFIER_nondet_bool(void);
double __VERIFIER_nondet_double(void);
float __VERIFIER_nondet_float(void);
void __VERIFIER_assume(int);
int x;
void *chooses(void *arg) {
    int given = __VERIFIER_nondet_int();
    __VERIFIER_assume(given > 10 && given < 1000);
    if (given % 7 == 3)
        x += given;
    if (__VERIFIER_nondet_bool())
        x++;
    if (unpick_choose(-3, 5) == -2)
        x = 2;
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, chooses, 0);
    pthread_create(&b, 0, chooses, &a);
    double part = __VERIFIER_nondet_double();
    if (part > 0.1 && part < 0.2)
        x--;
    if (__VERIFIER_nondet_float() == 1.5f)
        x += 7;
    srand(3);
    if (rand() % 5 == 4)
        x += 100;
    if (__VERIFIER_nondet_uchar() == 200)
        x += 1000;
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x != 17);
    return 0;
}
