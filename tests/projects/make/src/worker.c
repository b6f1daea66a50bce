#include "worker.h"
#include "queue.h"
#include <assert.h>

/* Between the question and the answer somebody else may take the last one. */
void *work(void *unused) {
  if (left() > 0) {
    int value = pop();
    assert(value == 42 && "the queue was empty");
  }
  return unused;
}
