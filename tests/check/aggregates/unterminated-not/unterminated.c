struct name { int id; char text[4]; };

static struct name n = {1, "four"};

int main(void) {
    int length = 0;
    while (length < (int)sizeof n.text && n.text[length] != 0)
        length++;
    return length > 4;
}
