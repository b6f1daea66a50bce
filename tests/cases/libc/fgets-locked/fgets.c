/* A line is read into a buffer that another thread looks at.
 * Behind a lock it holds. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static char line[4] = "aa";
static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *looker(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, looker, NULL);
    pthread_mutex_lock(&lock);
    static char text[] = "bb";
    FILE *file = fmemopen(text, 2, "r");
    fgets(line, sizeof line, file);
    fclose(file);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(sum != 'a' + 'b');
    return 0;
}

static void *looker(void *arg) {
    pthread_mutex_lock(&lock);
    int first = line[0];
    sum = first + line[1];
    pthread_mutex_unlock(&lock);
    return arg;
}
