int nothing(void) {
    return 0;
}
