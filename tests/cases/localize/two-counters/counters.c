#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t room = PTHREAD_MUTEX_INITIALIZER;
static int left_count, right_count;

static void *left(void *unused) {
    pthread_mutex_lock(&door);
    ++left_count;
    if (left_count == 1)
        pthread_mutex_lock(&room);
    pthread_mutex_unlock(&door);
    pthread_mutex_lock(&door);
    --left_count;
    if (left_count == 0)
        pthread_mutex_unlock(&room);
    pthread_mutex_unlock(&door);
    return unused;
}

static void *right(void *unused) {
    pthread_mutex_lock(&door);
    ++right_count;
    if (right_count == 1)
        pthread_mutex_lock(&room);
    pthread_mutex_unlock(&door);
    pthread_mutex_lock(&door);
    --right_count;
    if (right_count == 0)
        pthread_mutex_unlock(&room);
    pthread_mutex_unlock(&door);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return EXIT_SUCCESS;
}
