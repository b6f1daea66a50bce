// Values that meet: phi, select and switch with two ways to one block; a loop inside a condition.
int meet(int a, int b, int c) {
    int d = a && (b || c) ? a : b;
    switch (d) {
    case 1:
    case 2:
        d = c ? 1 : 2;
    case 3:
        do
            d--;
        while (d > a);
    }
    return d ?: c;
}
