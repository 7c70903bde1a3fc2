// SPDX-License-Identifier: Apache-2.0
#include "omp/shared_copies.h"

#include <cstdlib>
#include <new>

#include "omp/reduction.h"
#include "os/report.h"
#include "sync/spinlock.h"

namespace tulle::omp {
namespace {

TULLE_HELD_AT_FORK sync::Spinlock lock;
SharedCopies* in_use = nullptr;  // under lock

bool serves(const SharedCopies* shared, const Team* team, bool workshare) {
  return shared->team == team && shared->workshare == workshare &&
         shared->generation == team->generation;
}

void remove(SharedCopies* shared) {
  SharedCopies** link = &in_use;
  while (*link != shared) link = &(*link)->next;
  *link = shared->next;
}

}  // namespace

SharedCopies* join_copies(const Team* team, bool workshare, size_t share) {
  sync::Guard guard(lock);
  for (SharedCopies* shared = in_use; shared; shared = shared->next)
    if (serves(shared, team, workshare)) return shared;
  void* memory = malloc(sizeof(SharedCopies));
  if (!memory) os::fatal("no memory for a task reduction");
  char* copies = new_reduction_copies(1, share, team->nthreads);
  return in_use = new (memory)
             SharedCopies{in_use, team, team->generation, workshare, 0, copies};
}

bool leave_copies(SharedCopies* shared) {
  sync::Guard guard(lock);
  if (++shared->left < shared->team->nthreads) return false;
  remove(shared);
  return true;
}

void free_copies(SharedCopies* shared) {
  free_reduction_copies(shared->copies);
  free(shared);
}

}  // namespace tulle::omp
