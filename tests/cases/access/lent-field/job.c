/* Main's own variable, of which a thread has the address: its fields are written while the thread reads them. */
#include <assert.h>
#include <pthread.h>
struct job {
    int size, done;
};
static void *work(void *arg) {
    struct job *job = arg;
    int first = job->size;
    assert(job->size == first);
    return 0;
}
int main(void) {
    struct job job = {8, 0};
    pthread_t thread;
    pthread_create(&thread, 0, work, &job);
    job.size = 9;
    pthread_join(thread, 0);
    return 0;
}
