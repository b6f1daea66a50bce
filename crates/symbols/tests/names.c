/* Prints where its variables are and how they are to be called; tests/programs.rs compares. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdio.h>

extern char __ehdr_start;

#define RETURN_ADDRESS ((char *)__builtin_return_address(0))

static void global(const char *name, void *address) { printf("G %s %p\n", name, address); }

__attribute__((noinline)) static void slot(const char *name, void *address, void *frame) {
  printf("S %s %p %ld\n", name, RETURN_ADDRESS, (long)((char *)address - (char *)frame));
}
#define SLOT(name, address) slot(name, address, __builtin_frame_address(0))

__attribute__((noinline)) static void place(const char *function, int line) {
  printf("P %s %d %p\n", function, line, RETURN_ADDRESS);
}

struct node {
  int key;
  struct node *next;
};
typedef struct {
  pthread_mutex_t lock;
  int balance;
  struct node first;
  union {
    long whole;
    struct {
      int low, high;
    } half;
  } value;
  struct {
    int inner;
  };
  unsigned a : 3, b : 5, c : 8, d : 16;
  unsigned last;
} account_t;

int balance;
static long long hidden;
account_t account;
const volatile account_t *pointer = &account;
struct {
  int seq;
  char text[4];
} ring[8];
int grid[3][4][2];
struct node matrix[2][3];
_Atomic int flag;
_Atomic long flags[4];
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t conds[2];
sem_t sem;
union {
  int number;
  char bytes[8];
} either;
struct padded {
  char tag;
  double value;
} padded;
struct {
  int length;
  char data[];
} flexible = {3, {1, 2, 3}};

static int count(void) {
  static int counter;
  global("count::counter", &counter);
  {
    static int nested;
    global("count::nested", &nested);
  }
  return ++counter;
}

struct big {
  long words[6];
};

static int add(int left, struct big big, int right) {
  struct node local = {0, 0};
  int table[2][3] = {{0}};
  SLOT("left", &left);
  SLOT("right", &right);
  SLOT("big.words[2]", &big.words[2]);
  SLOT("local.key", &local.key);
  SLOT("local.next", &local.next);
  SLOT("table[1][2]", &table[1][2]);
  for (int i = 0; i < 1; i++) {
    int left = i;
    SLOT("i", &i);
    SLOT("left", &left);
    pthread_mutex_t own;
    SLOT("own", (char *)&own + 16);
  }
  place("add", __LINE__);
  return left + right + local.key + table[0][0];
}

static inline __attribute__((always_inline)) void inlined(int argument) {
  SLOT("argument", &argument);
  place("inlined", __LINE__);
}

int main(void) {
  printf("B %p\n", (void *)&__ehdr_start);
  global("balance", &balance);
  global("balance", (char *)&balance + 2);
  global("hidden", &hidden);
  global("account.lock", &account);
  global("account.lock", (char *)&account.lock + 12);
  global("account.balance", &account.balance);
  global("account.first.key", &account.first.key);
  global("account.first.next", &account.first.next);
  global("account.value.whole", &account.value);
  global("account.value.whole", &account.value.half.high);
  global("account.inner", &account.inner);
  char *bits = (char *)&account.inner + 4;
  global("account.a", bits);
  global("account.c", bits + 1);
  global("account.d", bits + 2);
  global("account.last", &account.last);
  global("pointer", &pointer);
  global("ring[0].seq", ring);
  global("ring[3].seq", &ring[3].seq);
  global("ring[7].text[2]", &ring[7].text[2]);
  global("grid[0][0][0]", grid);
  global("grid[1][2][1]", &grid[1][2][1]);
  global("grid[2][3][0]", &grid[2][3][0]);
  global("matrix[1][2].next", &matrix[1][2].next);
  global("flag", &flag);
  global("flags[2]", &flags[2]);
  global("mutex", &mutex);
  global("mutex", (char *)&mutex + 8);
  global("conds[1]", &conds[1]);
  global("sem", &sem);
  global("either.number", &either);
  global("either.bytes[5]", &either.bytes[5]);
  global("padded.tag", &padded.tag);
  global("padded+3", (char *)&padded + 3);
  global("padded.value", &padded.value);
  global("flexible.length", &flexible);
  count();
  struct big big = {{0}};
  add(1, big, 2);
  place("main", __LINE__);
  inlined(1);
  printf("F add %p\n", (void *)add);
  printf("F main %p\n", (void *)main);
  return 0;
}
