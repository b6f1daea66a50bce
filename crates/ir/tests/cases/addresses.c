// Address computations are sums.
struct inner {
    short s;
    int row[3][5];
};
struct outer {
    char c;
    struct inner in[4];
};
int fixed(struct outer *o) { return o->in[2].row[1][4]; }
int moving(struct outer *o, int i, long j, unsigned k) { return o->in[i].row[j][k]; }
int *back(int *p, int n) { return p - n; }
long apart(int *p, int *q) { return p - q; }
int length(int n) {
    char room[n];
    room[n - 1] = 1;
    return sizeof room;
}
