// Structures, unions, arrays, the heap, pointers to everything.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t sum = 99;
static void mix(uint64_t value) { sum = (sum ^ value) * 1099511628211ull, sum ^= sum >> 31; }

struct point { short x; int y; char name[5]; };
struct node { struct node *next; int value; };
union both { uint64_t number; unsigned char bytes[8]; float real; };
struct large { long cells[20]; };
static struct point table[3] = {{1, 2, "ab"}, {.y = 7, .name = {'x', 'y', 'z', 'w', 'v'}}, {0}};
static int *const to_y = &table[1].y;
static const char *words[] = {"one", "two", "three", NULL};
static int (*operations[2])(int, int);
static int grid[4][5];
static struct { struct point inner; void *self; } nested = {{3, 4, ""}, &nested};

static int add(int a, int b) { return a + b; }
static int mul(int a, int b) { return a * b; }
static struct point make(int x) {
    struct point p = {(short)x, x * x, "mk"};
    return p;
}
static struct large change(struct large l, int by) {
    for (int i = 0; i < 20; i++)
        l.cells[i] += by * i;
    return l;
}
static void each(int *cells, size_t count, int (*of)(int, int)) {
    for (size_t i = 0; i < count; i++)
        cells[i] = of(cells[i], (int)i + 1);
}

int main(void) {
    operations[0] = add, operations[1] = mul;
    for (int i = 0; i < 3; i++)
        mix(table[i].x), mix(table[i].y), mix(table[i].name[1]), mix(sizeof table[i]), mix(offsetof(struct point, name));
    *to_y = 40;
    mix(table[1].y);
    for (const char **word = words; *word; word++)
        for (const char *letter = *word; *letter; letter++)
            mix(*letter);
    struct point p = make(9), q = p;
    q.x = -3;
    mix(p.x + q.x + p.y), mix(memcmp(&p.name, &q.name, 5) == 0);
    struct large l = {{5, 6}};
    struct large m = change(l, 3);
    mix(l.cells[1]), mix(m.cells[19]);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++)
            grid[i][j] = i * 10 + j;
    int *flat = &grid[0][0];
    mix(flat[13]), mix((uint64_t)(&grid[2][1] - &grid[1][3]));
    each(&grid[1][0], 5, operations[1]);
    each(&grid[1][0], 5, operations[0]);
    mix(grid[1][4]);
    struct node *list = NULL;
    for (int i = 0; i < 30; i++) {
        struct node *one = malloc(sizeof *one);
        one->next = list, one->value = i * i;
        list = one;
    }
    struct node *reversed = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = reversed, reversed = list, list = next;
    }
    for (struct node *at = reversed; at;) {
        struct node *next = at->next;
        mix(at->value);
        free(at);
        at = next;
    }
    union both both;
    both.number = 0x4048f5c3deadbeefull;
    for (int i = 0; i < 8; i++)
        mix(both.bytes[i]);
    both.bytes[2] = 0x55;
    mix(both.number);
    both.real = 1.5f;
    mix(both.number & 0xffffffff);
    int *grown = NULL;
    for (int i = 1; i < 10; i++) {
        grown = realloc(grown, i * sizeof *grown);
        grown[i - 1] = i;
    }
    for (int i = 0; i < 9; i++)
        mix(grown[i]);
    free(grown);
    long *zeros = calloc(10, sizeof *zeros);
    for (int i = 0; i < 10; i++)
        mix(zeros[i]);
    free(zeros);
    int n = 6;
    int variable[n];
    for (int i = 0; i < n; i++)
        variable[i] = n - i;
    mix(variable[2]), mix(sizeof variable);
    char buffer[64];
    memset(buffer, 'q', sizeof buffer);
    memcpy(buffer + 3, "hello", 5);
    memmove(buffer + 5, buffer + 3, 10);
    for (int i = 0; i < 20; i++)
        mix(buffer[i]);
    mix(((struct point *)nested.self)->y);
    unsigned char bytes[16];
    for (int i = 0; i < 16; i++)
        bytes[i] = i * 17;
    uint32_t word;
    memcpy(&word, bytes + 3, 4);
    mix(word), mix(*(uint16_t *)(bytes + 8));
    uintptr_t number = (uintptr_t)&bytes[4];
    mix(*(unsigned char *)(number + 3)), mix((uintptr_t)&bytes[9] - number);
    printf("%llx\n", (unsigned long long)sum);
    return (int)(sum & 0xff);
}
