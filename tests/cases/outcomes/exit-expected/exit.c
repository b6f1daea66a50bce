/* Main always returns 3, as it is expected to.
 * So nothing is wrong with it. */
int main(void) {
    return 3;
}
