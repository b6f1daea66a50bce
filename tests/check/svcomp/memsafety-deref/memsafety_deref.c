#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main() {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 5)
        return 0;
    int *a = malloc(5 * sizeof(int));
    if (!a)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    a[n] = n;
    free(a);
    return 0;
}
