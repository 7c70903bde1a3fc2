// SPDX-License-Identifier: Apache-2.0
// OMP_PROC_BIND=true, which places alone ask for too, is spread in libomp; in libgomp it is told as true, and threads
// run close to each other.
#include <omp.h>
#include "expect.h"

int main(void) {
  omp_set_dynamic(0);
  int places = omp_get_num_places(), parts = 0;
  EXPECT(places >= 1, "no places");
#ifdef __clang__
  const int spread = 1;
  EXPECT_EQ(omp_get_proc_bind(), omp_proc_bind_spread);
#else
  const int spread = 0;
  EXPECT_EQ(omp_get_proc_bind(), omp_proc_bind_true);
#endif
  int threads = places < 64 ? places : 64;
#pragma omp parallel num_threads(threads) reduction(+ : parts)
  {
    int own = omp_get_partition_num_places();
    EXPECT_EQ(omp_get_proc_bind(), spread ? omp_proc_bind_spread : omp_proc_bind_true);
    EXPECT_EQ(omp_get_place_num(), omp_get_thread_num() * places / threads);
    if (!spread) EXPECT_EQ(own, places);
    parts += own;
  }
  if (spread) EXPECT_EQ(parts, places);
  return 0;
}
