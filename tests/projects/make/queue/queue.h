void push(int value);
int pop(void);
int left(void);
