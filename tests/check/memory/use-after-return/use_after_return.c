static const char *digits(unsigned n) {
    char text[4];
    text[0] = (char)('0' + n / 100);
    text[1] = (char)('0' + n / 10 % 10);
    text[2] = (char)('0' + n % 10);
    text[3] = 0;
    const char *result = text;
    return result;
}

int main(void) {
    const char *text = digits(407);
    return text[1] != '0';
}
