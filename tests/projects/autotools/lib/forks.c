#include "forks.h"
#include <pthread.h>
static pthread_mutex_t forks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

void take(int fork) { pthread_mutex_lock(&forks[fork]); }

void put_back(int fork) { pthread_mutex_unlock(&forks[fork]); }
