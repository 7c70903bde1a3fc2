// SPDX-License-Identifier: Apache-2.0
#include "omp/region/inner_teams.h"

#include <cstdlib>
#include <new>

#include "omp/icv/icv.h"
#include "omp/tool/active.h"
#include "sched/workers.h"
#include "sync/spinlock.h"
#include "ult/sanitizer.h"

namespace tulle::omp {

// The entry of a worker is looked at by that worker alone.
struct RestingTeams {
  struct TULLE_PAIR_ALIGNED Entry {
    Team* team = nullptr;
  };
  uint32_t count;
  Team* large = nullptr;  // through next_free. W: under large_lock
  Entry entries[];
};

namespace {

constexpr uint32_t kMoreWorkers = 8;  // than there are: foreign ones and spares may come
constexpr uint32_t kLarge = 64;       // members of a team from which on one for each worker would hold too many

TULLE_HELD_AT_FORK sync::Spinlock large_lock;

RestingTeams* allocate_resting() {
  const uint32_t count = sched::all_worker_count.load(std::memory_order_relaxed) + kMoreWorkers;
  void* memory = aligned_alloc(alignof(RestingTeams), sizeof(RestingTeams) + count * sizeof(RestingTeams::Entry));
  if (memory == nullptr) return nullptr;
  auto* made = new (memory) RestingTeams;
  made->count = count;
  for (uint32_t i = 0; i < count; ++i) new (&made->entries[i]) RestingTeams::Entry;
  return made;
}

// Null: no memory.
TULLE_COLD RestingTeams* make_resting(Team* team) {
  RestingTeams *made = allocate_resting(), *others = nullptr;
  if (made == nullptr) return nullptr;
  if (team->resting.compare_exchange_strong(others, made, std::memory_order_acq_rel)) return made;
  free(made);
  return others;
}

// Of an observed team: tools and race detectors know members by their records, and what is displayed or recorded of
// them goes by teams. Those that are only bound get their places anew where the encountering thread has another one.
TULLE_COLD bool is_known(const Team* team) {
  return tool::active() || ult::race_detector || team->displayed || global_icv().placement.value != nullptr;
}

void let_large_rest(RestingTeams* resting, Team* team, Thread* outer) {
  outer->inner = nullptr;
  sync::Guard guard(large_lock);
  team->next_free = resting->large;
  resting->large = team;
}

Team* take_all_large(RestingTeams* resting) {
  sync::Guard guard(large_lock);
  Team* all = resting->large;
  resting->large = nullptr;
  return all;
}

Team* take_large(RestingTeams* resting) {
  sync::Guard guard(large_lock);
  Team* team = resting->large;
  if (team != nullptr) resting->large = team->next_free;
  return team;
}

void let_rest_at(RestingTeams* resting, Team* team, Thread* outer) {
  if (team->members_made >= kLarge) return let_large_rest(resting, team, outer);
  const uint32_t index = outer->worker->index;
  if (TULLE_UNLIKELY(index >= resting->count) || resting->entries[index].team != nullptr) return;
  resting->entries[index].team = team;
  outer->inner = nullptr;
}

TULLE_COLD void let_first_rest(Team* team, Thread* outer) {
  if (RestingTeams* made = make_resting(outer->team)) let_rest_at(made, team, outer);
}

}  // namespace

Team* take_resting(const Thread* outer, uint32_t members) {
  RestingTeams* resting = outer->team->resting.load(std::memory_order_acquire);  // pairs with make_resting
  if (resting == nullptr) return nullptr;
  if (members >= kLarge) return take_large(resting);
  const uint32_t index = outer->worker->index;
  if (TULLE_UNLIKELY(index >= resting->count)) return nullptr;
  Team* team = resting->entries[index].team;
  resting->entries[index].team = nullptr;
  return team;
}

void let_rest(Team* team, Thread* outer) {
  if (TULLE_UNLIKELY(team->observed) && is_known(team)) return;
  RestingTeams* resting = outer->team->resting.load(std::memory_order_acquire);  // pairs with make_resting
  if (TULLE_LIKELY(resting != nullptr))
    let_rest_at(resting, team, outer);
  else
    let_first_rest(team, outer);
}

Team* take_all_resting(Team* outer) {
  RestingTeams* resting = outer->resting.load(std::memory_order_acquire);
  if (resting == nullptr) return nullptr;
  Team* all = take_all_large(resting);
  for (uint32_t i = 0; i < resting->count; ++i) {
    Team* team = resting->entries[i].team;
    if (team == nullptr) continue;
    resting->entries[i].team = nullptr;
    team->next_free = all;
    all = team;
  }
  return all;
}

}  // namespace tulle::omp
