/* Every way to get and to lose memory, each used to its last byte. */
#define _GNU_SOURCE
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct flexible {
    int count;
    char text[];
};

static void fill(void *block, size_t size) {
    char *bytes = block;
    assert(block);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)i;
}

static char *before_main;

__attribute__((constructor)) static void early(void) {
    before_main = malloc(40);
    free(malloc(50));
}

static void sizes(void) {
    for (size_t size = 0; size < 200; size++) {
        char *block = malloc(size);
        fill(block, size);
        block = realloc(block, 2 * size + 1);
        fill(block, 2 * size + 1);
        fill(block, malloc_usable_size(block));
        block = realloc(block, size / 2 + 1);
        fill(block, size / 2 + 1);
        char *past = block + size / 2 + 1;
        assert(past > block);
        free(block);
    }
}

static void aligned(void) {
    void *block;
    for (size_t alignment = 16; alignment <= 8192; alignment *= 2) {
        assert(posix_memalign(&block, alignment, 100) == 0);
        assert((uintptr_t)block % alignment == 0);
        fill(block, 100);
        free(block);
        fill(block = aligned_alloc(alignment, alignment), alignment);
        free(block);
        fill(block = memalign(alignment, 33), 33);
        free(block);
    }
    fill(block = valloc(5000), 5000);
    free(block);
    fill(block = pvalloc(5000), 8192);
    free(block);
}

static void by_libc(void) {
    char *text = NULL, *line = NULL;
    size_t room = 0;
    assert(asprintf(&text, "%0100d", 7) == 100);
    fill(text, 101);
    text = reallocarray(text, 20, 10);
    fill(text, 200);
    free(text);
    FILE *stream = open_memstream(&text, &room);
    fprintf(stream, "%0300d\n", 5);
    fclose(stream);
    assert(room == 301);
    FILE *again = fmemopen(text, room, "r");
    room = 0;
    assert(getline(&line, &room, again) == 301);
    fill(line, room);
    fclose(again);
    free(line);
    free(text);
    text = strdup("a copy");
    fill(text, 7);
    free(text);
    text = strndup("a copy", 3);
    fill(text, 4);
    free(text);
    free(realpath("/", NULL));
}

static void large(void) {
    for (int i = 0; i < 5; i++) {
        size_t size = (size_t)300000 << i;
        char *block = malloc(size);
        block[0] = block[size - 1] = 1;
        block = realloc(block, 2 * size);
        block[2 * size - 1] = 1;
        free(block);
    }
    for (int i = 0; i < 3; i++) {
        char *huge = malloc(40 << 20);
        huge[0] = huge[(40 << 20) - 1] = 1;
        huge = realloc(huge, 50 << 20);
        huge[(50 << 20) - 1] = 1;
        free(huge);
        char *mapped = mmap(NULL, 48 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert(mapped != MAP_FAILED);
        mapped[0] = mapped[4096] = mapped[(48 << 20) - 1] = 1;
        munmap(mapped, 48 << 20);
    }
}

static void pool(void) {
    char *arena = malloc(4096);
    struct flexible *items[8];
    for (int i = 0; i < 8; i++) {
        items[i] = (struct flexible *)(arena + 512 * i);
        items[i]->count = i;
        memset(items[i]->text, i, 512 - sizeof(struct flexible));
    }
    struct flexible *item = malloc(sizeof *item + 5);
    strcpy(item->text, "four");
    free(item);
    free(arena);
}

static void grow(void) {
    size_t size = 1;
    char *block = malloc(1);
    while (size < 300000) {
        size += size / 16 + 1;
        block = realloc(block, size);
        block[size - 1] = 1;
    }
    assert(realloc(block, (size_t)1 << 60) == NULL);
    fill(block, size);
    block = realloc(block, 10);
    fill(block, 10);
    assert(realloc(block, 0) == NULL);
    size_t half = (size_t)1 << 40;
    assert(calloc(half, half) == NULL);
}

static void *worker(void *mine) {
    sizes();
    free(mine);
    free(NULL);
    return malloc(70);
}

int main(void) {
    pthread_t t;
    void *from_thread;
    fill(before_main, 40);
    sizes();
    aligned();
    by_libc();
    large();
    pool();
    grow();
    pthread_create(&t, NULL, worker, malloc(60));
    pthread_join(t, &from_thread);
    fill(from_thread, 70);
    free(from_thread);
    free(before_main);
    malloc_trim(0);
    sizes();
    return 0;
}
