#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int a, b, result;

static void *begin(void *arg) {
    result = 1;
    pthread_mutex_lock(&first);
    a++;
    pthread_mutex_unlock(&first);
    pthread_mutex_lock(&second);
    b++;
    pthread_mutex_unlock(&second);
    return arg;
}

static void *middle(void *arg) {
    pthread_mutex_lock(&second);
    b++;
    pthread_mutex_lock(&first);
    a++;
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    result++;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, begin, 0);
    pthread_create(&two, 0, middle, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
