// The string functions, and kinds of characters.
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static uint64_t sum = 5;
static void mix(uint64_t value) { sum = (sum ^ value) * 1099511628211ull, sum ^= sum >> 31; }
static void mixs(const char *text) { while (*text) mix((unsigned char)*text++); mix(0); }
static int sign(int value) { return value > 0 ? 1 : value < 0 ? 2 : 0; }

int main(void) {
    char a[40] = "concurrency", b[80];
    mix(strlen(a)), mix(strnlen(a, 4)), mix(sign(strcmp(a, "concert"))), mix(sign(strncmp(a, "concert", 4)));
    mix(sign(strcmp("a", "b"))), mix(sign(strcmp("", ""))), mix(sign(strcasecmp("HeLLo", "hEllO")));
    mix(sign(memcmp("abc", "abd", 3)));
    strcpy(b, a), strcat(b, "-"), strncat(b, "bugs!!", 4), mixs(b);
    strncpy(b, "xy", 5), mix(b[4]), mixs(b);
    mixs(strchr(a, 'u')), mixs(strrchr(a, 'c')), mix(strchr(a, 'z') == NULL), mixs(strstr(a, "curr")), mix(strstr(a, "xx") == NULL);
    mix(strspn(a, "cno")), mix(strcspn(a, "ur")), mixs(strpbrk(a, "yr")), mix((char *)memchr(a, 'r', 11) - a);
    char *copy = strdup(a);
    mixs(copy), free(copy);
    copy = strndup(a, 4), mixs(copy), free(copy);
    mix(atoi("  -123x")), mix(atol("99999999999")), mix(strtol("0x1fg", &copy, 16)), mixs(copy), mix(strtol("077", NULL, 0));
    mix(strtoul("4294967295", NULL, 10)), mix((uint64_t)(atof("2.5e2") * 4)), mix((uint64_t)strtod("1.25abc", &copy)), mixs(copy);
    for (int c = 0; c < 256; c++)
        mix(!!isdigit(c) | !!isalpha(c) << 1 | !!isspace(c) << 2 | !!isupper(c) << 3 | !!ispunct(c) << 4 | !!isprint(c) << 5 | !!isxdigit(c) << 6 | !!iscntrl(c) << 7 | !!isalnum(c) << 8 | !!islower(c) << 9 | !!isgraph(c) << 10 | !!isblank(c) << 11),
            mix(toupper(c)), mix(tolower(c));
    mix(snprintf(b, sizeof b, "%d|%5d|%-5d|%05d|%+d|%x|%#X|%o", 42, 42, 42, 42, 42, 255, 255, 8)), mixs(b);
    mix(snprintf(b, 10, "%s-%c-%.2s", "long text", 'c', "abc")), mixs(b);
    mix(sprintf(b, "%lld %llu %ld %hhd %hu %zu %%", -5LL, 1ULL << 63, -7L, 300, 70000, sizeof b)), mixs(b);
    mix(sprintf(b, "%.3f %8.2f %e %g %g %G", 3.14159, -2.5, 123456.789, 0.0001, 1e20, 1e-10)), mixs(b);
    mix(sprintf(b, "%*d %.*f", 6, 12, 2, 1.005)), mixs(b);
    char list[] = "  one, two,,three ", *rest, *token, pieces[] = "a:b::c";
    for (token = strtok_r(list, " ,", &rest); token; token = strtok_r(NULL, " ,", &rest))
        mixs(token);
    char again[] = "x y";
    mixs(strtok(again, " ")), mixs(strtok(NULL, " ")), mix(strtok(NULL, " ") == NULL);
    rest = pieces;
    while ((token = strsep(&rest, ":")))
        mixs(token);
    int first, second;
    double real;
    char word[20], letter;
    mix(sscanf(" 12 -7 2.5e1 hello x", "%d%i %lf %19s %c", &first, &second, &real, word, &letter));
    mix(first), mix(second), mix((uint64_t)real), mixs(word), mix(letter);
    mix(sscanf("7,a", "%d,%d", &first, &second)), mix(sscanf("", "%d", &first)), mix(sscanf("0x1f", "%x", &first)), mix(first);
    printf("%llx\n", (unsigned long long)sum);
    puts("done");
    return (int)(sum & 0xff);
}
