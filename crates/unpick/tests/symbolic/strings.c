/* Functions of the C library on texts that threads share, and what they print. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
char shared[64] = "a", result[64];
int total;
void *append(void *arg) {
    strcat(shared, arg ? "left" : "r");
    if (strlen(shared) > 3)
        total += strcmp(shared, "aleft") == 0;
    char own[64];
    strncpy(own, shared, sizeof own);
    snprintf(result, sizeof result, "%s-%d", own, total);
    printf("%s %s %d\n", result, "literal", (int)strlen("literal"));
    char *copy = strdup(shared);
    if (strchr(copy, 'l') && memchr(copy, 'r', strlen(copy)))
        puts(copy);
    free(copy);
    total += atoi("12") + (int)strtol(result, 0, 10);
    putchar('\n');
    fprintf(stderr, "%s", shared);
    fflush(stdout);
    return 0;
}
int main(void) {
    pthread_t a, b;
    char number[8] = "34", *end;
    total = (int)strtol(number, &end, 10) - atoi(number);
    pthread_create(&a, 0, append, 0);
    pthread_create(&b, 0, append, &a);
    pthread_join(a, 0);
    pthread_join(b, 0);
    fputs(shared, stdout);
    return 0;
}
