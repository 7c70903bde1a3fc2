/* SPDX-License-Identifier: Apache-2.0 */
/* On one CPU: members that never wait are calls, and make no ULT; at a barrier all but the last one
   wait, and each becomes one. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <tulle/introspect.h>

enum { MEMBERS = 8 };

static int keep_one_cpu(void) {
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof cpus, &cpus) != 0) return 0;
  for (int cpu = 0, kept = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, &cpus) && kept++) CPU_CLR(cpu, &cpus);
  return sched_setaffinity(0, sizeof cpus, &cpus) == 0;
}

int main(void) {
  int members = 0;
  if (!keep_one_cpu()) return 2;
  unsigned long long before = tulle_ults_made();
#pragma omp parallel num_threads(MEMBERS) reduction(+ : members)
  members++;
  unsigned long long calls = tulle_ults_made();
#pragma omp parallel num_threads(MEMBERS) reduction(+ : members)
  {
    members++;
#pragma omp barrier
    members++;
  }
  unsigned long long waits = tulle_ults_made();
  printf("%d steps, %llu ULTs by calls, %s by a barrier\n", members, calls - before,
         waits - calls >= MEMBERS - 1 ? "as many as wait" : "fewer than wait");
  return 0;
}
