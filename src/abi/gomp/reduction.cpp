// SPDX-License-Identifier: Apache-2.0
// Registration of GCC's task reductions, and the lookup that a task with in_reduction begins with.
#include "abi/gomp/reduction.h"

#include <cstddef>

#include "abi/gomp/entry.h"
#include "abi/gomp/taskgroup.h"
#include "omp/replay/graph_region.h"
#include "omp/task/task_run.h"
#include "omp/worksharing/barrier.h"
#include "omp/worksharing/reduction.h"
#include "os/report.h"

namespace omp = tulle::omp;

namespace tulle::abi::gomp {

namespace {

enum Word { kCount, kShare, kCopies, kAllocator, kNext, kSet, kHeader = 7 };

uintptr_t* next_array(const uintptr_t* array) { return reinterpret_cast<uintptr_t*>(array[kNext]); }

char* copies_of(const uintptr_t* array) { return reinterpret_cast<char*>(array[kCopies]); }

size_t arrays(const uintptr_t* array) {
  size_t count = 0;
  for (; array != nullptr; array = next_array(array)) ++count;
  return count;
}

// `first` null: makes the copies; otherwise takes those of the same arrays there.
omp::ReductionSet* describe(uintptr_t* descriptor, omp::ReductionSet* outer, unsigned threads,
                            const uintptr_t* first) {
  omp::ReductionSet* set = omp::new_reduction_set(outer, arrays(descriptor));
  omp::ReductionPart* part = set->parts;
  for (uintptr_t* array = descriptor; array != nullptr; array = next_array(array), ++part) {
    size_t share = array[kShare];
    char* copies = first != nullptr ? copies_of(first)
                                    : omp::new_reduction_copies(array[kCopies], share, threads);
    if (first != nullptr) first = next_array(first);
    array[kCopies] = reinterpret_cast<uintptr_t>(copies);
    auto* items = reinterpret_cast<const omp::ReductionItem*>(array + kHeader);
    *part = {items, array[kCount], copies, share, share * threads};
  }
  descriptor[kSet] = reinterpret_cast<uintptr_t>(set);
  return set;
}

void free_copies(omp::ReductionSet* set) {
  for (size_t i = 0; i < set->count; ++i) omp::free_reduction_copies(set->parts[i].copies);
}

}  // namespace

void register_for_team(omp::Team* team, uintptr_t* descriptor) {
  team->task_reductions = describe(descriptor, nullptr, team->nthreads, nullptr);
}

void register_for_group(omp::Thread* thread, uintptr_t* descriptor) {
  thread->task()->group->reductions =
      describe(descriptor, omp::reductions_of(thread), thread->team->nthreads, nullptr);
}

void register_shared(omp::Thread* thread, uintptr_t* descriptor, const uintptr_t* first) {
  thread->task()->group->reductions =
      describe(descriptor, omp::reductions_of(thread), thread->team->nthreads, first);
}

}  // namespace tulle::abi::gomp

namespace gomp = tulle::abi::gomp;

TULLE_GOMP void GOMP_taskgroup_reduction_register(uintptr_t* descriptor) {
  omp::Thread* thread = omp::self_or_attach();
  omp::leave_out_of_graph(thread, "it reduces over tasks");
  gomp::register_for_group(thread, descriptor);
}

TULLE_GOMP void GOMP_taskgroup_reduction_unregister(uintptr_t* descriptor) {
  auto* set = reinterpret_cast<omp::ReductionSet*>(descriptor[gomp::kSet]);
  gomp::free_copies(set);
  omp::free_reduction_set(set);
}

// Each of the first `count` words is the address of a list item or of a copy of it, and becomes
// that of the current thread's copy; of the first `originals` ones the item itself follows.
TULLE_GOMP void GOMP_task_reduction_remap(size_t count, size_t originals, void** addresses) {
  omp::Thread* thread = omp::self_or_attach();
  omp::stay_in_thread(thread);  // the task keeps the addresses of its thread's copies
  const omp::ReductionSet* set = omp::reductions_of(thread);
  for (size_t i = 0; i < count; ++i) {
    omp::ReductionCopy found = omp::find_reduction_copy(set, addresses[i], thread->num);
    if (found.copy == nullptr)
      tulle::os::fatal("in_reduction of %p: no enclosing construct reduces it", addresses[i]);
    addresses[i] = found.copy;
    if (i < originals) addresses[count + i] = found.original;
  }
}

// Ends what a worksharing construct or a scope with reduction(task, ...) began. Everybody combined
// before; thread 0 gives the copies back.
TULLE_GOMP void GOMP_workshare_task_reduction_unregister(bool cancelled) {
  omp::Thread* thread = omp::self();
  auto* set = static_cast<omp::ReductionSet*>(thread->task()->group->reductions);
  gomp::end_taskgroup(thread);
  if (thread->num == 0) gomp::free_copies(set);
  omp::free_reduction_set(set);
  if (!cancelled) omp::barrier(thread);
}
