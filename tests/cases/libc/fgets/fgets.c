/* A line is read into a buffer that another thread looks at.
 * Fails where one runs between the two halves of the other. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static char line[4] = "aa";
static int sum;

static void *looker(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, looker, NULL);
    static char text[] = "bb";
    FILE *file = fmemopen(text, 2, "r");
    fgets(line, sizeof line, file);
    fclose(file);
    pthread_join(t, NULL);
    assert(sum != 'a' + 'b');
    return 0;
}

static void *looker(void *arg) {
    int first = line[0];
    sum = first + line[1];
    return arg;
}
