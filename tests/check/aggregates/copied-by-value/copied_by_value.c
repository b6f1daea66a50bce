#include <assert.h>

struct account { int balance; char owner[8]; long limits[3]; };

static void deposit(struct account a, int amount) { a.balance += amount; }

int main(void) {
    struct account mine = {100, "me", {1, 2, 3}};
    deposit(mine, 50);
    assert(mine.limits[2] == 3 && mine.owner[1] == 'e');
    assert(mine.balance == 150);
    return 0;
}
