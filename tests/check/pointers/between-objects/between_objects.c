static int one[4];
static int two[4];

int main(void) {
    long step = 6;
    int *p = one + step;
    if (p != two && p != two + 4)
        *p = 1;
    return 0;
}
