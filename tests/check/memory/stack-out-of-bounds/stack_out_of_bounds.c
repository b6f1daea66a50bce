static void fill(int *cells) {
    for (int i = 0; i < 8; i++)
        cells[i] = i;
}

int main(void) {
    int cells[7];
    fill(cells);
    return cells[6] != 6;
}
