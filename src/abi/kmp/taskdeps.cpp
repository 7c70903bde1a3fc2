// SPDX-License-Identifier: Apache-2.0
//
// depend clauses of Clang, Flang and Intel's compilers. Dependence objects are arrays of the same
// entries, which compiled code takes apart by itself.
#include "abi/kmp/record.h"
#include "abi/kmp/target_construct.h"
#include "abi/kmp/task_head.h"
#include "omp/replay/graph_region.h"
#include "omp/task/dependence_list.h"
#include "omp/task/task_bare.h"
#include "omp/thread/thread.h"
#include "omp/tool/called.h"
#include "omp/worksharing/told.h"

namespace tulle::kmp {
namespace {

omp::DependenceKind kind_of(uint8_t kind) {
  if (kind & kDependInOutSet) return omp::DependenceKind::inoutset;
  if (kind & kDependMutexInOutSet) return omp::DependenceKind::mutexinoutset;
  return kind & kDependOut ? omp::DependenceKind::out : omp::DependenceKind::in;
}

// The two lists of a call as one.
class Dependences : public omp::DependenceList {
 public:
  Dependences(const Depend* list, int32_t count, const Depend* more, int32_t more_count)
      : DependenceList(static_cast<size_t>(count) + static_cast<size_t>(more_count)) {
    for (int32_t i = 0; i < count; ++i) add_translated(list[i]);
    for (int32_t i = 0; i < more_count; ++i) add_translated(more[i]);
  }

  // Clang waits in front of an undeferred task, and does not say that it begins: it has to come after
  // those of its set that were made before, for it cannot keep them out.
  void follow_exclusive_sets() {
    for (omp::Dependence& item : all())
      if (item.kind == omp::DependenceKind::mutexinoutset) item.kind = omp::DependenceKind::out;
  }

 private:
  void add_translated(const Depend& depend) {
    const bool all_memory = (depend.kind & kDependAllMemory) || depend.address == kAllMemory;
    if (all_memory) return add(nullptr, omp::DependenceKind::out);
    add(reinterpret_cast<void*>(depend.address), kind_of(depend.kind));
  }
};

// taskwait depend(…) nowait, which may also come as a task without an entry: nothing to do but to hold back
// its dependents.
int32_t run_empty(int32_t, void*) { return 0; }

// Not inlined: a task that is called at once needs no room for a list.
TULLE_NOINLINE TULLE_MAY_SUSPEND void submit_listed(TaskHead* head, const DependLists& lists, bool records) {
  const Dependences dependences(lists.list, lists.count, lists.more, lists.more_count);
  if (records) record_task(omp::self(), head, dependences.items(), dependences.count());
  submit(omp::self(), head, dependences.items(), dependences.count());
}

}  // namespace

void wait_for(const DependLists& lists) {
  if (lists.count <= 0 && lists.more_count <= 0) return;
  Dependences dependences(lists.list, lists.count, lists.more, lists.more_count);
  dependences.follow_exclusive_sets();
  omp::wait_for_children(dependences.items(), dependences.count());
}

TULLE_KMP int32_t __kmpc_omp_task_with_deps(Ident*, int32_t, Task* task, int32_t count,
                                            const Depend* list, int32_t more_count,
                                            const Depend* more) {
  TULLE_CALLED();
  omp::Thread* thread = omp::self_or_attach();
  TaskHead* head = head_of(task);
  if (TULLE_UNLIKELY(task->entry == nullptr)) task->entry = &run_empty;
  const bool records = omp::somebody_records();
  if (records || !call_at_once(thread, head)) submit_listed(head, {count, list, more_count, more}, records);
  return 0;
}

TULLE_KMP void __kmpc_omp_wait_deps(Ident*, int32_t, int32_t count, const Depend* list,
                                    int32_t more_count, const Depend* more) {
  omp::Thread* thread = omp::self_or_attach();
  if (!omp::somebody_records() && omp::has_no_children(thread)) return;
  Dependences dependences(list, count, more, more_count);
  dependences.follow_exclusive_sets();
  if (omp::somebody_records())
    omp::record_taskwait(thread, dependences.items(), dependences.count());
  omp::wait_for_children(dependences.items(), dependences.count());
}

TULLE_KMP void __kmpc_omp_taskwait_deps_51(Ident*, int32_t, int32_t count, const Depend* list,
                                           int32_t more_count, const Depend* more,
                                           int32_t nowait) {
  Dependences dependences(list, count, more, more_count);
  omp::Thread* thread = omp::self_or_attach();
  if (!nowait) {
    dependences.follow_exclusive_sets();
    if (omp::somebody_records())
      omp::record_taskwait(thread, dependences.items(), dependences.count());
    omp::wait_for_children(dependences.items(), dependences.count());
    return;
  }
  if (omp::somebody_records())
    omp::record_empty_task(thread, dependences.items(), dependences.count());
  TaskHead* head = make_task(thread, kTaskTied, sizeof(Task), 0, &run_empty);
  submit(thread, head, dependences.items(), dependences.count());
}

}  // namespace tulle::kmp
