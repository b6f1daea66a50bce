int main(void) {
    int *before = 0, sum = 0;
    for (int round = 1; round <= 3; round++) {
        int own = round;
        if (round == 3)
            sum += *before;
        before = &own;
    }
    return sum > 9;
}
