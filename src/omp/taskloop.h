// SPDX-License-Identifier: Apache-2.0
// How a taskloop divides its iterations (OpenMP 5.2 §12.6): pure arithmetic.
#pragma once

#include <cstdint>

namespace tulle::omp {

enum class TaskloopGrain : uint8_t { none, grainsize, num_tasks };

// `tasks` chunks in the order of the iterations: the first `longer` ones have `base` + 1 iterations,
// the others `base`, but the last one `last`.
struct TaskloopSplit {
  uint64_t tasks;
  uint64_t base;
  uint64_t longer;
  uint64_t last;

  uint64_t iterations(uint64_t task) const {
    if (task + 1 == tasks) return last;
    return base + (task < longer ? 1 : 0);
  }
};

// `trips` iterations, at least 1; `grain` is the clause's value, at least 1 where there is one.
TaskloopSplit split_taskloop(uint64_t trips, TaskloopGrain kind, uint64_t grain, bool strict,
                             uint32_t nthreads);

}  // namespace tulle::omp
