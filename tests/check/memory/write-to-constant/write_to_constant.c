int main(void) {
    char *text = "constant";
    text[0] = 'C';
    return 0;
}
