// SPDX-License-Identifier: Apache-2.0
#include "omp/worksharing/shared_copies.h"

#include <cstdlib>
#include <new>

#include "omp/worksharing/reduction.h"
#include "os/report.h"
#include "sync/spinlock.h"

namespace tulle::omp {
namespace {

TULLE_HELD_AT_FORK sync::Spinlock lock;
SharedCopies* in_use TULLE_GUARDED_BY(lock) = nullptr;

bool serves(const SharedCopies* shared, const Team* team, bool workshare) {
  return shared->team == team && shared->workshare == workshare &&
         shared->generation == team->generation;
}

SharedCopies* find_locked(const Team* team, bool workshare) TULLE_UNDER(lock) {
  SharedCopies* shared = in_use;
  while (shared && !serves(shared, team, workshare)) shared = shared->next;
  if (shared != nullptr) ult::happens_after(shared);
  return shared;
}

void remove_locked(SharedCopies* shared) TULLE_UNDER(lock) {
  SharedCopies** link = &in_use;
  while (*link != shared) link = &(*link)->next;
  *link = shared->next;
}

}  // namespace

SharedCopies* find_copies(const Team* team, bool workshare) {
  sync::Guard guard(lock);
  return find_locked(team, workshare);
}

SharedCopies* offer_copies(const Team* team, bool workshare, char* copies) {
  sync::Guard guard(lock);
  if (SharedCopies* shared = find_locked(team, workshare)) return shared;
  void* memory = malloc(sizeof(SharedCopies));
  if (!memory) os::fatal("no memory for a task reduction");
  in_use = new (memory) SharedCopies{in_use, team, team->generation, workshare, 0, copies};
  ult::happens_before(in_use);
  return in_use;
}

bool leave_copies(SharedCopies* shared) {
  sync::Guard guard(lock);
  ult::happens_before(shared);
  if (++shared->left < shared->team->nthreads) return false;
  remove_locked(shared);
  ult::happens_after(shared);
  return true;
}

void free_copies(SharedCopies* shared) {
  free_reduction_copies(shared->copies);
  free(shared);
}

}  // namespace tulle::omp
