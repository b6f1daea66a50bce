static short scores[6];

int main(void) {
    short *p = scores;
    while (p < scores + sizeof scores / sizeof *scores)
        *p++ = 1;
    return 0;
}
