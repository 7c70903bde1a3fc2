// SPDX-License-Identifier: Apache-2.0
// Clauses of target, here with the host as the only device: thread_limit, has_device_addr,
// is_device_ptr, present, ompx_attribute, defaultmap, uses_allocators.
#include <omp.h>
#include "expect.h"

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads(), limit = 0, team = 0, array[10] = {0}, sum = 0;
#pragma omp target thread_limit(2) map(tofrom : limit, team)
  {
    limit = omp_get_thread_limit();
#pragma omp parallel
#pragma omp single
    team = omp_get_num_threads();
  }
  EXPECT(team <= 2, "%d threads in a target region limited to 2", team);
  EXPECT_EQ(limit, 2);
#pragma omp target data map(tofrom : array) use_device_addr(array)
  {
#pragma omp target has_device_addr(array)
    for (int i = 0; i < 10; i++) array[i] += i;
  }
  int *pointer = array;
#pragma omp target is_device_ptr(pointer)
  pointer[3] += 40;
#pragma omp target data map(tofrom : array)
  {
#pragma omp target map(present, tofrom : array) ompx_attribute(__attribute__((amdgpu_waves_per_eu(2, 2))))
    array[4] += 50;
#pragma omp target defaultmap(present : aggregate)
    array[5] += 60;
#pragma omp target update from(present : array)
  }
  for (int i = 0; i < 10; i++)
    EXPECT_EQ(array[i], i + (i == 3 ? 40 : i == 4 ? 50 : i == 5 ? 60 : 0));
#pragma omp target teams distribute parallel for reduction(+ : sum) map(tofrom : sum) thread_limit(3)
  for (int i = 0; i < 100; i++) sum += i;
  EXPECT_EQ(sum, 4950);
#pragma omp parallel
  {
#pragma omp target uses_allocators(omp_default_mem_alloc) private(limit) \
    allocate(omp_default_mem_alloc : limit) map(tofrom : sum)
    {
      limit = 1;
#pragma omp atomic
      sum += limit;
    }
  }
  EXPECT_EQ(sum, 4950 + n);
  return 0;
}
