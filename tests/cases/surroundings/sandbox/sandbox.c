#include <assert.h>
#include <errno.h>
#include <sys/stat.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int shared;

static void *worker(void *arg) {
    shared++;
    return arg;
}

static void rewrite(const char *name, const char *before) {
    char text[64] = "";
    FILE *file = fopen(name, "r+");
    assert(file && fgets(text, sizeof text, file) && strcmp(text, before) == 0);
    rewind(file);
    fputs("changed\n", file);
    fclose(file);
}

int main(void) {
    pthread_t thread;
    assert(access("new", F_OK) != 0 && access("folder/new", F_OK) != 0);
    rewrite("one", "first\n");
    assert(unlink("folder/two") == 0);
    assert(mkdir("made", 0700) == 0 && mkdir("made/deeper", 0000) == 0);
    fclose(fopen("new", "w"));
    fclose(fopen("folder/new", "w"));
    assert(chmod("folder", 0500) == 0);
    pthread_create(&thread, NULL, worker, NULL);
    shared++;
    pthread_join(thread, NULL);
    if (shared != 2)
        abort();
    return 0;
}
