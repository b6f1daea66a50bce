/* Copies of shared blocks: a read and a write each, and others may come in between. */
#include <pthread.h>
#include <string.h>
struct pair { int a, b, c, d, e; } one = {1, 2, 3, 4, 5}, two = {6, 7, 8, 9, 10};
char text[16] = "abc", other[16];
void *swap(void *arg) {
    if (arg)
        memcpy(&one, &two, sizeof one);
    else
        memmove(&two, &one, sizeof two);
    strcpy(other, text);
    memset(text, 'x', 3);
    one = two;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, swap, 0);
    pthread_create(&b, 0, swap, &a);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return memcmp(&one, &two, sizeof one) != 0;
}
