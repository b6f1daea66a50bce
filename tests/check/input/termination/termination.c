int main(void) {
    int n = 3;
    while (n)
        n--;
    return n;
}
