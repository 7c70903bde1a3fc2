// SPDX-License-Identifier: Apache-2.0
//
// Task reductions of Clang, Flang and Intel's compilers: which functions initialise, combine and end
// the copies. Where the copies are is known to omp/worksharing/reduction.h, so that GCC-built tasks find them too;
// the other way round there is none: GCC's tasks begin their copies themselves.
// A registration hangs on its taskgroup, which frees it; once it hangs there, only what runs in the
// name of thread t touches copy t until then.
#include "abi/kmp/taskred.h"

#include <cstdlib>

#include "abi/kmp/layout.h"
#include "abi/kmp/taskgroup.h"
#include "base/cacheline.h"
#include "omp/replay/graph_region.h"
#include "omp/task/task_run.h"
#include "omp/thread/team.h"
#include "omp/thread/thread.h"
#include "omp/worksharing/reduction.h"
#include "omp/worksharing/shared_copies.h"
#include "os/report.h"

namespace tulle::kmp {
namespace {

// The compiler's description of one list item, whichever form it used.
struct Functions {
  void* original;
  size_t size;
  void (*init)(void* copy, void* original);  // an older form ignores the second argument
  void (*fini)(void* copy);
  void (*combine)(void* into, void* from);
};

// One block: this, `items[count]`, then the functions. `items[i].spare` is not used.
struct Registration {
  omp::ReductionSet* set;
  omp::SharedCopies* shared;  // of a team's construct; null: the copies are this one's own
  uint32_t count;
  omp::ReductionItem items[];

  Functions* functions() { return reinterpret_cast<Functions*>(items + count); }
  omp::ReductionPart& part() { return set->parts[0]; }
};

Registration* registration_of(const omp::ReductionSet* set) {
  auto* items = reinterpret_cast<char*>(const_cast<omp::ReductionItem*>(set->parts[0].items));
  return reinterpret_cast<Registration*>(items - offsetof(Registration, items));
}

// Behind each copy stands the byte in which GCC's tasks note that they have initialised the copy.
size_t room_of(size_t size) { return (size + 1 + kCacheLine - 1) & ~(kCacheLine - 1); }

Functions functions_of(const ReductionItem& item) {
  auto init = reinterpret_cast<void (*)()>(item.init);
  return {item.shared, item.size, reinterpret_cast<void (*)(void*, void*)>(init), item.fini,
          item.combine};
}
Functions functions_of(const ReductionItemWithOrigin& item) {
  return {item.original ? item.original : item.shared, item.size, item.init, item.fini,
          item.combine};
}

// `Item` is one of the two forms. The copies are still to be set.
template <class Item>
Registration* describe(omp::Thread* thread, int32_t count, const Item* list) {
  const size_t n = static_cast<size_t>(count);
  void* memory =
      malloc(sizeof(Registration) + n * (sizeof(omp::ReductionItem) + sizeof(Functions)));
  if (!memory) os::fatal("no memory for a task reduction");
  auto* registration = static_cast<Registration*>(memory);
  registration->shared = nullptr;
  registration->count = static_cast<uint32_t>(count);
  uintptr_t offset = 0;
  for (size_t i = 0; i < n; ++i) {
    registration->items[i] = {list[i].shared, offset, 0};
    registration->functions()[i] = functions_of(list[i]);
    offset += room_of(list[i].size);
  }
  offset = (offset + kCacheLinePair - 1) & ~(kCacheLinePair - 1);  // one thread's share
  registration->set = omp::new_reduction_set(omp::reductions_of(thread), 1);
  registration->part() = {registration->items, n, nullptr, offset,
                          offset * thread->team->nthreads, true};
  return registration;
}

void init_copies(Registration* registration, uint32_t number) {
  char* copies = registration->part().copies + number * registration->part().share;
  for (uint32_t i = 0; i < registration->count; ++i) {
    const Functions& functions = registration->functions()[i];
    char* copy = copies + registration->items[i].offset;
    if (functions.init) functions.init(copy, functions.original);
    copy[functions.size] = 1;
  }
}

void end_copies(Registration* registration, char* copies, uint32_t threads) {
  for (uint32_t number = 0; number < threads; ++number)
    for (uint32_t i = 0; i < registration->count; ++i)
      if (const Functions& functions = registration->functions()[i]; functions.fini)
        functions.fini(copies + number * registration->part().share + registration->items[i].offset);
}

void combine_copies(Registration* registration, uint32_t number) {
  char* copies = registration->part().copies + number * registration->part().share;
  for (uint32_t i = 0; i < registration->count; ++i) {
    const Functions& functions = registration->functions()[i];
    char* copy = copies + registration->items[i].offset;
    functions.combine(registration->items[i].original, copy);
    if (functions.fini) functions.fini(copy);
  }
}

void combine_all(Registration* registration, uint32_t threads) {
  for (uint32_t number = 0; number < threads; ++number) combine_copies(registration, number);
}

void* hang_on(omp::TaskGroup* group, Registration* registration) {
  group->reductions = registration->set;
  return group;
}

template <class Item>
void* register_group(int32_t count, const Item* list) {
  omp::Thread* thread = omp::self_or_attach();
  omp::leave_out_of_graph(thread, "it reduces over tasks");
  Registration* registration = describe(thread, count, list);
  omp::ReductionPart& part = registration->part();
  part.copies = omp::new_reduction_copies(1, part.share, thread->team->nthreads);
  for (uint32_t t = 0; t < thread->team->nthreads; ++t) init_copies(registration, t);
  return hang_on(thread->task()->group, registration);
}

// Tasks of threads that are ahead may run in the name of one that is not here yet, and use its copy.
void make_shared_copies(const omp::Team* team, bool workshare, Registration* registration) {
  omp::ReductionPart& part = registration->part();
  part.copies = omp::new_reduction_copies(1, part.share, team->nthreads);
  for (uint32_t t = 0; t < team->nthreads; ++t) init_copies(registration, t);
  registration->shared = omp::offer_copies(team, workshare, part.copies);
  if (registration->shared->copies == part.copies) return;
  end_copies(registration, part.copies, team->nthreads);
  omp::free_reduction_copies(part.copies);
}

// reduction(task, …) on a region or worksharing construct: each thread registers for itself.
template <class Item>
void* register_team(bool workshare, int32_t count, const Item* list) {
  omp::Thread* thread = omp::self_or_attach();
  Registration* registration = describe(thread, count, list);
  registration->shared = omp::find_copies(thread->team, workshare);
  if (!registration->shared) make_shared_copies(thread->team, workshare, registration);
  registration->part().copies = registration->shared->copies;
  omp::TaskGroup* group = begin_group(thread);
  group->hidden = true;
  return hang_on(group, registration);
}

}  // namespace

void finish_reductions(omp::TaskGroup* group) {
  if (!group->reductions) return;
  auto* set = static_cast<omp::ReductionSet*>(group->reductions);
  Registration* registration = registration_of(set);
  const uint32_t threads = omp::self()->team->nthreads;
  if (omp::SharedCopies* shared = registration->shared) {
    if (omp::leave_copies(shared)) {
      combine_all(registration, threads);
      omp::free_copies(shared);
    }
  } else {
    combine_all(registration, threads);
    omp::free_reduction_copies(registration->part().copies);
  }
  omp::free_reduction_set(set);
  free(registration);
}

TULLE_KMP void* __kmpc_task_reduction_init(int32_t, int32_t count, const ReductionItem* list) {
  return register_group(count, list);
}

TULLE_KMP void* __kmpc_taskred_init(int32_t, int32_t count, const ReductionItemWithOrigin* list) {
  return register_group(count, list);
}

TULLE_KMP void* __kmpc_task_reduction_modifier_init(Ident*, int32_t, int32_t workshare,
                                                    int32_t count, const ReductionItem* list) {
  return register_team(workshare != 0, count, list);
}

TULLE_KMP void* __kmpc_taskred_modifier_init(Ident*, int32_t, int32_t workshare, int32_t count,
                                             const ReductionItemWithOrigin* list) {
  return register_team(workshare != 0, count, list);
}

TULLE_KMP void __kmpc_task_reduction_modifier_fini(Ident*, int32_t, int32_t) {
  end_group(omp::self());
}

// The calling thread's copy of a list item, named by the item itself or by any thread's copy of it.
// `group` narrows the search to what that taskgroup and the ones around it reduce.
TULLE_KMP void* __kmpc_task_reduction_get_th_data(int32_t, void* group, void* item) {
  omp::Thread* thread = omp::self();
  omp::stay_in_thread(thread);  // the task keeps the address of its thread's copy
  const omp::ReductionSet* innermost = omp::reductions_of(thread);
  if (group && static_cast<omp::TaskGroup*>(group)->reductions)
    innermost =
        static_cast<const omp::ReductionSet*>(static_cast<omp::TaskGroup*>(group)->reductions);
  const omp::ReductionCopy found = omp::find_reduction_copy(innermost, item, thread->num);
  if (!found.copy) os::fatal("in_reduction of %p: no enclosing construct reduces it", item);
  // Only GCC's code knows how to begin such a copy and where to note that it is in use.
  if (!found.ready)
    os::fatal("in_reduction of %p: code of GCC's reduces it, and only its tasks can", item);
  return found.copy;
}

}  // namespace tulle::kmp
