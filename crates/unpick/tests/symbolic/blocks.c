/* Heap blocks: to free one, or to move it, is to write it. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
int *cells;
pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
int count;
void *grow(void *arg) {
    pthread_mutex_lock(&guard);
    count++;
    cells = realloc(cells, count * 10 * sizeof *cells);
    cells[count] = count;
    pthread_mutex_unlock(&guard);
    char *own = calloc(3, 5);
    own[2] = 1;
    own = realloc(own, 16);
    own = realloc(own, 400);
    free(own);
    free(0);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, grow, 0);
    pthread_create(&b, 0, grow, &a);
    void *given;
    pthread_join(a, &given);
    pthread_join(b, 0);
    cells[0] = given != 0;
    free(cells);
    return 0;
}
