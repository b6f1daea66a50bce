// C++ as far as it is the same instructions: names, virtual calls, references; exceptions are named.
namespace bank {
struct Account {
    virtual ~Account() {}
    virtual int get(int by) const { return money + by; }
    int money = 3;
};
static Account ours;
}
int ask(const bank::Account &account) {
    static int asked;
    asked++;
    return account.get(asked);
}
int risky(int n) {
    struct Guard {
        ~Guard() { bank::ours.money++; }
    } guard;
    if (n < 0)
        throw n;
    return ask(bank::ours);
}
