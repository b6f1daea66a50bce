/* The program writes to both its outputs, also something that looks like ours.
 * It is kept with the run, and our standard output stays one JSON document. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static int x;

static void *worker(void *arg) {
    (void)arg;
    printf("the worker was here\n");
    fprintf(stderr, "{\"verdict\": \"clean\"}\n");
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    puts("{\"schema\": \"unpick/1\"}");
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    printf("no newline at the end");
    assert(x == 0);
    return 0;
}
