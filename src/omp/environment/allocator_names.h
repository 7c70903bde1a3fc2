// SPDX-License-Identifier: Apache-2.0
// The predefined allocators and memory spaces by name, for OMP_ALLOCATOR and for display. Handles as
// GCC 12's and clang 22's omp.h number them (OpenMP 5.2 §6.1, §6.2).
#pragma once

#include <string_view>

#include "omp/data/allocator.h"

namespace tulle::omp {

struct AllocatorName {
  std::string_view name;
  std::string_view space;  // the memory space whose plain allocator it is; empty for the others
  AllocatorHandle handle;
};

inline constexpr AllocatorName kAllocatorNames[] = {
    {"omp_default_mem_alloc", "omp_default_mem_space", 1},
    {"omp_large_cap_mem_alloc", "omp_large_cap_mem_space", 2},
    {"omp_const_mem_alloc", "omp_const_mem_space", 3},
    {"omp_high_bw_mem_alloc", "omp_high_bw_mem_space", 4},
    {"omp_low_lat_mem_alloc", "omp_low_lat_mem_space", 5},
    {"omp_cgroup_mem_alloc", "", 6},
    {"omp_pteam_mem_alloc", "", 7},
    {"omp_thread_mem_alloc", "", 8},
};

}  // namespace tulle::omp
