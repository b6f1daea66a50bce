static void fill(int *cells, int n) {
    for (int i = 0; i < n; i++)
        cells[i] = i;
}

int main(void) {
    int cells[7];
    fill(cells, sizeof cells / sizeof cells[0]);
    return cells[6] != 6;
}
