#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *rows[3];
    for (int i = 0; i < 3; i++) {
        rows[i] = malloc((i + 1) * sizeof(int));
        if (!rows[i])
            return 0;
        for (int j = 0; j <= i; j++)
            rows[i][j] = i + j;
    }
    int sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            sum += rows[i][j];
    for (int i = 0; i < 3; i++)
        free(rows[i]);
    return 0;
}
