// unpick: instrumented
// ThreadSanitizer's hooks are calls like others.
#include <pthread.h>
int shared;
_Thread_local int own;
static void *run(void *argument) {
    shared++;
    own = *(int *)argument;
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, &shared);
    return pthread_join(thread, 0);
}
_Atomic int count;
_Atomic(int *) place;
// The load that a hook replaces is no second access.
int looked(void) { return count + (place != 0); }
