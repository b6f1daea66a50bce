#include <assert.h>

int counter;
extern void count(void);

int main(void) {
    count();
    count();
    assert(counter == 2);
    return 0;
}
