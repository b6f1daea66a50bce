/* Two threads count in a text of wide characters, with wcstol and swprintf: libc's accesses are not seen.
 * The lost update is missed, so nothing may be called complete. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <wchar.h>

static wchar_t text[16] = L"0";

static void *worker(void *arg) {
    long value = wcstol(text, NULL, 10);
    swprintf(text, 16, L"%ld", value + 1);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(text[0] == L'2');
    return 0;
}
