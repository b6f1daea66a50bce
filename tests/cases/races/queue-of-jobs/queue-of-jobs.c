#include <pthread.h>
#include <stdlib.h>

struct job { struct job *next; int input, output; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct job *todo, *done;

static void push(struct job **list, struct job *job) {
    pthread_mutex_lock(&lock);
    job->next = *list;
    *list = job;
    pthread_mutex_unlock(&lock);
}

static struct job *pop(struct job **list) {
    pthread_mutex_lock(&lock);
    struct job *job = *list;
    if (job)
        *list = job->next;
    pthread_mutex_unlock(&lock);
    return job;
}

static void *work(void *arg) {
    for (struct job *job; (job = pop(&todo));) {
        job->output = job->input + 1;
        push(&done, job);
    }
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, work, 0);
    struct job *job = calloc(1, sizeof *job);
    job->input = 4;
    push(&todo, job);
    work(0);
    struct job *ended = pop(&done);
    int result = ended ? ended->output : 5;
    pthread_join(one, 0);
    free(job);
    return result != 5;
}
