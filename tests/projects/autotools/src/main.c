#include "config.h"
#include "guest.h"
#include <pthread.h>
#if SIZEOF_VOID_P != 8
#error configure was mistaken
#endif

int main(void) {
  pthread_t guests[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&guests[i], 0, eat, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(guests[i], 0);
  return 0;
}
