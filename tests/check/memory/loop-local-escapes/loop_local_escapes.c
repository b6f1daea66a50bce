#include <stddef.h>

int main(void) {
    int *largest = NULL;
    for (int i = 0; i < 3; i++) {
        int square = i * i;
        if (!largest || square > *largest)
            largest = &square;
    }
    return *largest == 5;
}
