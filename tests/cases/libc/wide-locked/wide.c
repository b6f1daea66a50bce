/* A text of wide characters is copied while another thread writes it.
 * Behind a lock it holds. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <wchar.h>

static wchar_t name[3] = L"ab";
static wchar_t seen[3];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *copier(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, copier, NULL);
    pthread_mutex_lock(&lock);
    name[0] = L'x';
    name[1] = L'y';
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(wcscmp(seen, L"ab") == 0 || wcscmp(seen, L"xy") == 0);
    return 0;
}

static void *copier(void *arg) {
    pthread_mutex_lock(&lock);
    wcscpy(seen, name);
    pthread_mutex_unlock(&lock);
    return arg;
}
