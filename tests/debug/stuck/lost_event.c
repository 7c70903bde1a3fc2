// SPDX-License-Identifier: Apache-2.0
// A task that is complete when its event is fulfilled, which nobody does; a thread waits for it by a dependence.
#include <omp.h>

int main(void) {
  int word = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task depend(out : word) detach(event)
    word = 1;
#pragma omp task depend(in : word) if (0)
    ++word;
  }
  return word;
}
