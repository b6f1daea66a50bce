#include "account.h"

/* It does not know of the lock. */
void charge(int amount) { balance -= amount; }
