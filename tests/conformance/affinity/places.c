// SPDX-License-Identifier: Apache-2.0
// Places and binding: run with OMP_PLACES=threads and OMP_PROC_BIND=spread,close for a list of one
// place per processor; without places the routines say that there are none.
#include <omp.h>
#include "expect.h"

static void check_no_places(void) {
  EXPECT_EQ(omp_get_partition_num_places(), omp_get_num_places());
}

static void check_places(int places) {
  EXPECT(places >= 1, "%d places", places);
  int total = 0;
  for (int p = 0; p < places; p++) {
    int count = omp_get_place_num_procs(p);
    int ids[1024];
    EXPECT(count >= 1 && count <= 1024, "place %d has %d processors", p, count);
    omp_get_place_proc_ids(p, ids);
    for (int i = 0; i < count; i++) EXPECT(ids[i] >= 0, "processor %d", ids[i]);
    total += count;
  }
  EXPECT_EQ(total, omp_get_num_procs());
  EXPECT_EQ(omp_get_place_num_procs(-1), 0);
  EXPECT_EQ(omp_get_place_num_procs(places), 0);
  EXPECT_EQ(omp_get_proc_bind(), omp_proc_bind_spread);
#pragma omp parallel
  {
    int place = omp_get_place_num(), part = omp_get_partition_num_places(), numbers[1024];
    EXPECT(place >= 0 && place < places, "place %d", place);
    EXPECT(part >= 1 && part <= places, "%d places in the partition", part);
    omp_get_partition_place_nums(numbers);
    int inside = 0;
    for (int i = 0; i < part; i++) inside |= numbers[i] == place;
    EXPECT(inside, "place %d is not in its partition", place);
    EXPECT_EQ(omp_get_proc_bind(), omp_proc_bind_close);
  }
  int primary = omp_get_place_num();
#pragma omp parallel proc_bind(primary) num_threads(4)
  EXPECT_EQ(omp_get_place_num(), primary);
}

int main(void) {
  omp_set_dynamic(0);
  if (getenv("OMP_PLACES"))
    check_places(omp_get_num_places());
  else
    check_no_places();
  return 0;
}
