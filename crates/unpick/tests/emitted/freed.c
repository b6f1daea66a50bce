#include <pthread.h>
#include <stdlib.h>

struct item {
    int value;
    struct item *next;
};

static struct item *list;

static struct item *push(struct item *next, int value) {
    struct item *made = malloc(sizeof *made);
    *made = (struct item){ value, next };
    return made;
}

static void *drop(void *arg) {
    struct item *first = list;
    list = first->next;
    free(first);
    return arg;
}

static void *look(void *arg) {
    long sum = 0;
    for (struct item *at = list; at != NULL; at = at->next)
        sum += at->value;
    return (void *)sum;
}

int main(void) {
    pthread_t one, two;
    for (int i = 0; i < 2; i++)
        list = push(list, i);
    pthread_create(&one, NULL, look, NULL);
    pthread_create(&two, NULL, drop, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
