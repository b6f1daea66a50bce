// end: fails Uninitialised
// checks: uninitialised
static int table[4];
int main(void) {
    int at;
    return table[at & 3];
}
