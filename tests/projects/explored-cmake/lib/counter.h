extern int counter;
void raise_counter(void);
