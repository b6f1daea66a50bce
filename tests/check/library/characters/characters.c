#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

int main(void) {
    assert(isdigit('7') && !isdigit('a') && isalpha('q') && isspace('\t'));
    assert(toupper('q') == 'Q' && tolower('Q') == 'q' && toupper('1') == '1');
    assert(atoi("-42x") == -42 && strtol("0x1f", 0, 0) == 31);
    assert(abs(-3) == 3 && labs(-3L) == 3);
    return 0;
}
