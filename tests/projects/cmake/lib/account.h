#ifdef __cplusplus
extern "C" {
#endif
extern int balance;
void deposit(int amount);
#ifdef __cplusplus
}
#endif
