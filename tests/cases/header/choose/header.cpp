// unpick_choose of unpick.h, from C++: every value from 3 to 6 is tried.
// Without Unpick it would be 3.
#include <unpick.h>

int main() {
    int n = unpick_choose(3, 6);
    R_assert(n >= 3 && n <= 6);
    return 0;
}
