// SPDX-License-Identifier: Apache-2.0
// Members of several inner teams spin for each other: no team ends before all have begun, so none waits for others to end
// for ever, whatever the regions before were taken for; and a team whose members spin among themselves is right in between.
#include <omp.h>

#include "expect.h"

enum { REGIONS = 12, ROUNDS = 3, MOST = 4 };

static void meet(int *count, int members) {
  __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(count, __ATOMIC_SEQ_CST) < members) {
  }
}

// `across`: all members meet, else those of each team.
static void run(int teams, int size, int across) {
  int counts[MOST] = {0}, ended = 0;
#pragma omp parallel num_threads(teams) shared(counts, ended)
  {
    const int own = across ? 0 : omp_get_thread_num();
#pragma omp parallel num_threads(size) shared(counts, ended) firstprivate(own)
    {
      meet(&counts[own], across ? teams * size : size);
#pragma omp atomic
      ended++;
    }
  }
  EXPECT_EQ(ended, teams * size);
}

int main(void) {
  omp_set_max_active_levels(2);
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < REGIONS; i++) {
      run(2, 2, 1);
      run(MOST, 2, round % 2);
      run(2, 3, 1);
    }
  return 0;
}
