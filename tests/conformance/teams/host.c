// SPDX-License-Identifier: Apache-2.0
// teams on the host: number of teams, thread limit, distribute and its combined forms, with their
// schedules and reductions (OpenMP 5.2 §10.2, §11.6).
#include <omp.h>
#include "expect.h"

enum { trips = 500 };

static int owner[trips];

static void check_league(void) {
  int teams = 0, size = 0, seen[8] = {0};
#pragma omp teams num_teams(4) thread_limit(3) reduction(+ : teams) shared(seen)
  {
    teams++;
    int self = omp_get_team_num();
    EXPECT(self >= 0 && self < omp_get_num_teams(), "team %d", self);
    EXPECT(omp_get_num_teams() >= 1 && omp_get_num_teams() <= 4, "%d teams", omp_get_num_teams());
    __atomic_fetch_add(&seen[self], 1, __ATOMIC_RELAXED);
    int members = 0;
#pragma omp parallel reduction(+ : members)
    {
      members++;
      EXPECT(omp_get_thread_limit() <= 3, "thread limit %d", omp_get_thread_limit());
      EXPECT_EQ(omp_get_team_num(), self);
      EXPECT_EQ(omp_get_level(), 1);
    }
    EXPECT(members >= 1 && members <= 3, "%d members", members);
    if (self == 0) size = omp_get_num_teams();
  }
  EXPECT_EQ(teams, size);
  for (int i = 0; i < size; i++) EXPECT_EQ(seen[i], 1);
  EXPECT_EQ(omp_get_num_teams(), 1);
  EXPECT_EQ(omp_get_team_num(), 0);
}

static void check_distribute(void) {
  int last = -1;
#pragma omp teams num_teams(3)
  {
#pragma omp distribute dist_schedule(static, 4)
    for (int i = 0; i < trips; i++) owner[i] = omp_get_team_num();
#pragma omp distribute lastprivate(last)
    for (int i = 0; i < trips; i++) last = i;
  }
  EXPECT_EQ(last, trips - 1);
  int teams = 1;
  for (int i = 0; i < trips; i++)
    if (owner[i] >= teams) teams = owner[i] + 1;
  for (int i = 0; i < trips; i++) EXPECT_EQ(owner[i], i / 4 % teams);
}

static void check_combined(void) {
  long sum = 0, wide = 0, both = 0;
#pragma omp teams distribute parallel for num_teams(2) reduction(+ : sum) schedule(dynamic, 3)
  for (int i = trips; i > 0; i--) sum += i;
  EXPECT_EQ(sum, trips * (trips + 1) / 2);
#pragma omp teams distribute parallel for simd collapse(2) reduction(+ : both)
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 30; j++) both += i * j;
  EXPECT_EQ(both, 190 * 435);
#pragma omp teams distribute num_teams(2) reduction(+ : wide)
  for (unsigned long long i = 1ULL << 63; i < (1ULL << 63) + 70; i += 7) wide += i - (1ULL << 63);
  EXPECT_EQ(wide, 7 * 45);
  sum = 0;
#pragma omp teams num_teams(2) reduction(+ : sum)
#pragma omp distribute parallel for num_threads(2) schedule(guided)
  for (int i = 0; i < trips; i++) {
#pragma omp atomic
    owner[i] += 1000;
  }
  for (int i = 0; i < trips; i++) EXPECT_EQ(owner[i] / 1000, 1);
}

int main(void) {
  omp_set_dynamic(0);
  EXPECT_EQ(omp_get_num_teams(), 1);
  for (int round = 0; round < 3; round++) {
    check_league();
    check_distribute();
    check_combined();
  }
  return 0;
}
