// SPDX-License-Identifier: Apache-2.0
// The teams of a league have places of their own in libomp, dealt out as KMP_TEAMS_PROC_BIND says, and so have
// the regions inside them. Afterwards the thread is where it was.
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <string.h>
#include "expect.h"

enum { kTeams = 2 };

static int first_cpu(void) {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, &set)) return CPU_COUNT(&set) == 1 ? cpu : -1;
  return -1;
}

static int cpu_of(int place) {
  int cpu = -1;
  if (omp_get_place_num_procs(place) == 1) omp_get_place_proc_ids(place, &cpu);
  return cpu;
}

int main(void) {
  omp_set_dynamic(0);
  const char *said = getenv("KMP_TEAMS_PROC_BIND");
  int primary = said != NULL && (strcmp(said, "primary") == 0 || strcmp(said, "false") == 0);
  int places = omp_get_num_places(), ran[kTeams] = {0}, place[kTeams], cpu[kTeams], parts[kTeams];
  int inner[kTeams];
#pragma omp teams num_teams(kTeams) thread_limit(1)
  {
    int team = omp_get_team_num();
    ran[team] = 1;
    place[team] = omp_get_place_num();
    parts[team] = omp_get_partition_num_places();
    cpu[team] = first_cpu();
#pragma omp parallel num_threads(1)
    inner[team] = omp_get_place_num();
  }
  for (int team = 0; team < kTeams; team++) {
    if (!ran[team]) continue;
    int wanted = primary || places < kTeams ? 0 : team;
    if (said == NULL || strcmp(said, "spread") == 0 || strcmp(said, "true") == 0) {
      if (places > kTeams) wanted = team == 0 ? 0 : (places + 1) / 2;
      if (places >= kTeams) EXPECT(parts[team] < places, "team %d has %d places", team, parts[team]);
    } else {
      EXPECT_EQ(parts[team], places);
    }
    EXPECT_EQ(place[team], wanted);
    EXPECT_EQ(inner[team], wanted);
    EXPECT_EQ(cpu[team], cpu_of(wanted));
  }
  EXPECT_EQ(omp_get_place_num(), 0);
  EXPECT_EQ(first_cpu(), cpu_of(0));
  return 0;
}
