/* Thread-specific data and its destructors; main ends before the others. */
#include <pthread.h>
#include <stdio.h>
pthread_key_t first, second;
int ended;
void end_first(void *value) { ended += *(int *)value; }
void end_second(void *value) {
    ended++;
    if (ended < 4)
        pthread_setspecific(second, value);
}
int values[2] = {10, 20};
void *body(void *arg) {
    pthread_setspecific(first, arg);
    pthread_setspecific(second, arg);
    if (arg == &values[0])
        pthread_exit(pthread_getspecific(first));
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_attr_t detached;
    pthread_key_create(&first, end_first);
    pthread_key_create(&second, end_second);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_create(&a, 0, body, &values[0]);
    pthread_create(&b, &detached, body, &values[1]);
    pthread_detach(a);
    pthread_setspecific(first, &values[1]);
    pthread_exit(0);
}
