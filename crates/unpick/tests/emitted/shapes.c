/* Function pointers, structures by value, recursion, thread-local variables, doubles, switches. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct pair {
    long left;
    int right;
};

struct large {
    int numbers[12];
};

static _Thread_local int own = 3;
static double weight = 1.5;
static int total;
static char text[16] = "start";

static int twice(int x) { return 2 * x; }
static int negate(int x) { return -x; }
static int (*const steps[])(int) = { twice, negate };

static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

static struct pair both(long left, int right) {
    struct pair made = { left, right };
    return made;
}

static int sum(struct large all) {
    int result = 0;
    for (int i = 0; i < 12; i++)
        result += all.numbers[i];
    return result;
}

static int word(int number) {
    switch (number) {
    case 1:
        return 10;
    case 2:
    case 3:
        return 20;
    default:
        return 30;
    }
}

static void *work(void *arg) {
    struct pair pair = both(factorial(4), word(3));
    struct large large;
    memset(&large, 0, sizeof large);
    large.numbers[5] = own++;
    strcpy(text, "done");
    int before = total;
    total = before + steps[0]((int)pair.left) + steps[1](pair.right) + sum(large);
    weight = weight * 2.0 + 0.25;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(strcmp(text, "done") == 0 && own == 3);
    assert(weight > 6.0 && weight < 7.0);
    assert(total == 62);
    return 0;
}
