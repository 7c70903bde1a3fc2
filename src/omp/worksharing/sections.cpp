// SPDX-License-Identifier: Apache-2.0
// sections (OpenMP 5.2 §11.3): a loop over the numbers of the sections.
#include "omp/worksharing/loop.h"

namespace tulle::omp {

namespace {

LoopRequest request_of(uint32_t count, bool monotonic) {
  return {space_until<uint64_t>(1, uint64_t{count} + 1, 1, true),
          {ScheduleKind::dynamic, monotonic, 1},
          false,
          1};
}

}  // namespace

void sections_begin(Thread* thread, uint32_t count, bool monotonic) {
  loop_begin(thread, request_of(count, monotonic));
}

uint32_t sections_next(Thread* thread) {
  LoopChunk chunk;
  return loop_next(thread, chunk) ? static_cast<uint32_t>(chunk.first) : 0;
}

void sections_prepare(Thread* primary, uint32_t count) {
  loop_prepare(primary, request_of(count, false));
}

}  // namespace tulle::omp
