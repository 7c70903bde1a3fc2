// SPDX-License-Identifier: Apache-2.0
// The hints from C and C++ (built as both): harmless under any runtime, in any thread, and seen by
// Tulle: it takes a policy that it knows, and complains once of what is not a load.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <tulle/hints.h>

int main(void) {
  int sum = 0, policy;
  omp_set_max_active_levels(2);
  tulle_set_load(7);
#pragma omp parallel num_threads(4) reduction(+ : sum)
  {
    tulle_set_load(1.5 * (omp_get_thread_num() + 1));
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
      tulle_set_load(1e300);
      sum++;
    }
    tulle_set_load(0);
  }
  tulle_set_load(-1);
  tulle_set_load(NAN);
  tulle_set_load(INFINITY);
  policy = tulle_set_policy("no such policy") ? 9 : tulle_set_policy("default");
  if (!tulle_set_policy(NULL)) policy *= -1;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum++;
  printf("%d members, policy %d\n", sum, policy);
  return 0;
}
