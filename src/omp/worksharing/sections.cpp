// SPDX-License-Identifier: Apache-2.0
// sections (OpenMP 5.2 §11.3): a loop over the numbers of the sections.
#include "omp/worksharing/loop.h"

namespace tulle::omp {

namespace {

// In order, and none is kept for a thread that waits for what another one makes.
LoopRequest request_of(uint32_t count) {
  return {space_until<uint64_t>(1, uint64_t{count} + 1, 1, true), {ScheduleKind::dynamic, true, 1}, false, 1, true, true};
}

}  // namespace

void sections_begin(Thread* thread, uint32_t count) { loop_begin(thread, request_of(count)); }

uint32_t sections_next(Thread* thread) {
  LoopChunk chunk;
  return loop_next(thread, chunk) ? static_cast<uint32_t>(chunk.first) : 0;
}

void sections_prepare(Thread* primary, uint32_t count) {
  loop_prepare(primary, request_of(count));
}

}  // namespace tulle::omp
