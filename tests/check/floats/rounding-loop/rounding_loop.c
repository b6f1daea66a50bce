#include <assert.h>

int main(void) {
    float sum = 0;
    for (int i = 0; i < 10; i++)
        sum += 0.1f;
    assert(sum > 0.9999f && sum < 1.0001f);
    assert(sum == 1.0f);
    return 0;
}
