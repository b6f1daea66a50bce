/* A parallel scanner of files: main walks through the folders and puts the files into a queue,
 * workers take them out and look for a word. What they find is counted and written down under
 * locks; main waits until the last worker is done. */
#include "queue.h"
#include "search.h"
#include "tree.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#define CAPACITY 2
#define LONGEST_PATH 64
#define MOST_MATCHES 16

struct match {
    char path[LONGEST_PATH];
    unsigned line;
};

static struct queue paths;
static struct pattern pattern;

static pthread_mutex_t print_lock = PTHREAD_MUTEX_INITIALIZER;
static struct match matches[MOST_MATCHES];
static unsigned printed;

static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned files_scanned;
static unsigned matches_found;

static pthread_mutex_t workers_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t workers_done = PTHREAD_COND_INITIALIZER;
static unsigned active;

/* One file on its way from the walk to a worker. */
struct job {
    char path[LONGEST_PATH];
    const char *text;
};

static void print_match(const struct job *job, unsigned line) {
    pthread_mutex_lock(&print_lock);
    assert(printed < MOST_MATCHES);
    struct match *match = &matches[printed++];
    memcpy(match->path, job->path, sizeof match->path);
    match->line = line;
    pthread_mutex_unlock(&print_lock);
}

static unsigned lines_between(const char *text, size_t from, size_t to) {
    unsigned lines = 0;
    for (size_t i = from; i < to; i++)
        lines += text[i] == '\n';
    return lines;
}

static unsigned scan(const struct job *job) {
    size_t length = strlen(job->text);
    unsigned found = 0, line = 1;
    size_t before = 0;
    size_t at = pattern_find(&pattern, job->text, length, 0);
    while (at < length) {
        line += lines_between(job->text, before, at);
        print_match(job, line);
        found++;
        before = at;
        at = pattern_find(&pattern, job->text, length, at + 1);
    }
    return found;
}

static void add_to_counts(unsigned found) {
    pthread_mutex_lock(&count_lock);
    files_scanned++;
    matches_found += found;
    pthread_mutex_unlock(&count_lock);
}

static void *worker(void *arg) {
    struct job *job;
    while ((job = queue_get(&paths)) != NULL) {
        add_to_counts(scan(job));
        free(job);
    }
    pthread_mutex_lock(&workers_lock);
    active--;
    if (active == 0)
        pthread_cond_signal(&workers_done);
    pthread_mutex_unlock(&workers_lock);
    return arg;
}

static void put_file(const char *path, const struct entry *file) {
    struct job *job = malloc(sizeof *job);
    if (job == NULL)
        abort();
    snprintf(job->path, sizeof job->path, "%s", path);
    job->text = file->text;
    queue_put(&paths, job);
}

static unsigned walk(const char *path, const struct entry *folder) {
    unsigned files = 0;
    for (const struct entry *entry = folder->children; entry->name != NULL; entry++) {
        char below[LONGEST_PATH];
        snprintf(below, sizeof below, "%s/%s", path, entry->name);
        if (entry->text == NULL) {
            files += walk(below, entry);
        } else {
            put_file(below, entry);
            files++;
        }
    }
    return files;
}

static void wait_for_workers(void) {
    pthread_mutex_lock(&workers_lock);
    while (active > 0)
        pthread_cond_wait(&workers_done, &workers_lock);
    pthread_mutex_unlock(&workers_lock);
}

int main(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : "love";
    pthread_t workers[WORKERS];
    pattern_compile(&pattern, word, false);
    queue_init(&paths, CAPACITY);
    active = WORKERS;
    for (unsigned i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    unsigned files = walk(root.name, &root);
    queue_close(&paths);
    wait_for_workers();
    for (unsigned i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    queue_destroy(&paths);
    assert(files_scanned == files);
    assert(matches_found == printed);
    if (argc > 2)
        for (unsigned i = 0; i < printed; i++)
            printf("%s:%u\n", matches[i].path, matches[i].line);
    return matches_found > 0 ? 0 : 1;
}
