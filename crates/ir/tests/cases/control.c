// Branches, loops with one and with two entries, switches.
int nested(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j > 0; j--)
            sum += j;
    return sum;
}
int two_entries(int n) {
    if (n > 3)
        goto middle;
top:
    n += 2;
middle:
    n -= 3;
    if (n > 0)
        goto top;
    return n;
}
int choose(unsigned char c, int x) {
    switch (c) {
    case 'a':
    case 200:
        return 1;
    case 0:
        return x && c ? x : -x;
    default:
        return 3;
    }
}
void *computed(int n) {
    static void *labels[] = {&&one, &&two};
    goto *labels[n];
one:
    return 0;
two:
    return &labels;
}
