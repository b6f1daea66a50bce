#include <assert.h>

static int numbers[4] = {1, 2, 3, 4};

int main(void) {
    int sum = 0;
    int *end = numbers + 4;
    for (int *p = numbers; p != end; p++)
        sum += *p;
    assert(end - numbers == 4 && (char *)end - (char *)numbers == 16);
    assert(sum == 10);
    return 0;
}
