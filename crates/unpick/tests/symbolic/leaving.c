/* Who ends the process first? What was to be called then is called once. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int x;
void at_the_end(void) { x++; printf("%d\n", x); }
void *leaves(void *arg) {
    x += 2;
    if (x == 2)
        exit(0);
    return arg;
}
int main(void) {
    pthread_t a;
    atexit(at_the_end);
    pthread_create(&a, 0, leaves, 0);
    x = 1;
    return 0;
}
