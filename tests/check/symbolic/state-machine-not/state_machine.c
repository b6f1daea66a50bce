#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

enum state { IDLE, ARMED, WAITING, FIRED };

int main(void) {
    enum state s = IDLE;
    for (int i = 0; i < 4; i++) {
        _Bool in = __VERIFIER_nondet_bool();
        switch (s) {
        case IDLE: s = in ? ARMED : IDLE; break;
        case ARMED: s = in ? IDLE : WAITING; break;
        case WAITING: s = in ? IDLE : ARMED; break;
        case FIRED: break;
        }
    }
    assert(s != FIRED);
    return 0;
}
