// SPDX-License-Identifier: Apache-2.0
// How large a region's team is (OpenMP 5.2 §10.1.1). Where thread-limit-var is a limit, the threads of
// a contention group are counted at its initial team: relaxed throughout, a count that orders nothing.
#include <algorithm>

#include "omp/region/parallel.h"
#include "omp/region/team_size.h"

namespace tulle::omp {

namespace {

// A target region's team counts as one: it is at level 0.
Team* initial_team_around(const Thread* thread) {
  Team* team = thread->team;
  while (team->level != 0) team = team->parent->team;
  return team;
}

// Of `limit` threads, the initial one among them, for a region whose encountering thread counts once.
uint32_t left_beside(uint32_t reserved, int32_t limit) {
  auto most = static_cast<uint32_t>(limit);
  return reserved + 1 < most ? most - reserved : 1;
}

uint32_t threads_left(const Thread* outer) {
  uint32_t reserved = initial_team_around(outer)->reserved_inside.load(std::memory_order_relaxed);
  return left_beside(reserved, outer->task()->icv->thread_limit);
}

}  // namespace

uint32_t team_size(Thread* outer, uint32_t requested) {
  const Icv& icv = icv_of(outer);
  uint32_t n = requested != 0 ? requested : icv.nthreads;
  if (n <= 1) return 1;
  // OpenMP 5.2 §10.1.1: a region beyond max-active-levels is inactive.
  if (outer->team->active_level >= static_cast<uint32_t>(icv.max_active_levels)) return 1;
  if (icv.thread_limit != kUnlimitedThreads) n = std::min(n, threads_left(outer));
  // Claims count members in 20 bits.
  if (n > sync::ClaimRange::kLimit) n = sync::ClaimRange::kLimit;
  return n;
}

uint32_t reserve_threads(const Thread* outer, uint32_t wanted) {
  std::atomic<uint32_t>& count = initial_team_around(outer)->reserved_inside;
  uint32_t before = count.load(std::memory_order_relaxed);
  for (;;) {
    uint32_t n = std::min(wanted, left_beside(before, outer->task()->icv->thread_limit));
    if (count.compare_exchange_weak(before, before + n - 1, std::memory_order_relaxed)) return n;
  }
}

void give_back_threads(Team* team) {
  initial_team_around(team->parent)->reserved_inside.fetch_sub(team->reserved,
                                                               std::memory_order_relaxed);
  team->reserved = 0;
}

void recount_reserved(Thread* thread) {
  uint32_t sum = 0;
  for (; thread != nullptr; thread = thread->team->parent) {
    sum += thread->team->reserved;
    if (thread->team->level != 0) continue;
    thread->team->reserved_inside.store(sum - thread->team->reserved, std::memory_order_relaxed);
    sum = thread->team->reserved;
  }
}

}  // namespace tulle::omp
