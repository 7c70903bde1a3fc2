// SPDX-License-Identifier: Apache-2.0
//
// depend clauses of Clang, Flang and Intel's compilers. Dependence objects are arrays of the same
// entries, which compiled code takes apart by itself.
#include <cstdlib>

#include "abi/kmp/task_head.h"
#include "omp/thread.h"
#include "os/report.h"

namespace tulle::kmp {
namespace {

omp::DependenceKind kind_of(uint8_t kind) {
  if (kind & kDependInOutSet) return omp::DependenceKind::inoutset;
  if (kind & kDependMutexInOutSet) return omp::DependenceKind::mutexinoutset;
  return kind & kDependOut ? omp::DependenceKind::out : omp::DependenceKind::in;
}

omp::Dependence translate(const Depend& depend) {
  if (depend.kind & kDependAllMemory) return {nullptr, omp::DependenceKind::out};
  return {reinterpret_cast<void*>(depend.address), kind_of(depend.kind)};
}

// The two lists of a call as one. Lies in the caller's frame unless it is long.
class DependenceList {
 public:
  DependenceList(const Depend* list, int32_t count, const Depend* more, int32_t more_count)
      : count_(static_cast<size_t>(count) + static_cast<size_t>(more_count)) {
    if (count_ > kInline) {
      items_ = static_cast<omp::Dependence*>(malloc(count_ * sizeof(omp::Dependence)));
      if (!items_) os::fatal("no memory for %zu dependences of a task", count_);
    }
    for (int32_t i = 0; i < count; ++i) items_[i] = translate(list[i]);
    for (int32_t i = 0; i < more_count; ++i) items_[count + i] = translate(more[i]);
  }
  ~DependenceList() {
    if (items_ != inline_) free(items_);
  }
  DependenceList(const DependenceList&) = delete;
  DependenceList& operator=(const DependenceList&) = delete;

  // Clang waits in front of an undeferred task, and does not say that it begins: it has to come after
  // those of its set that were made before, for it cannot keep them out.
  void follow_exclusive_sets() {
    for (size_t i = 0; i < count_; ++i)
      if (items_[i].kind == omp::DependenceKind::mutexinoutset)
        items_[i].kind = omp::DependenceKind::out;
  }

  const omp::Dependence* items() const { return items_; }
  size_t count() const { return count_; }

 private:
  static constexpr size_t kInline = 16;
  size_t count_;
  omp::Dependence inline_[kInline];
  omp::Dependence* items_ = inline_;
};

// taskwait depend(…) nowait: a task without a body that holds back its dependents.
int32_t run_empty(int32_t, void*) { return 0; }

}  // namespace

TULLE_KMP int32_t __kmpc_omp_task_with_deps(Ident*, int32_t, Task* task, int32_t count,
                                            const Depend* list, int32_t more_count,
                                            const Depend* more) {
  omp::Thread* thread = omp::self_or_attach();
  TaskHead* head = head_of(task);
  if (omp::has_no_children(thread) && call_at_once(thread, head)) return 0;
  const DependenceList dependences(list, count, more, more_count);
  submit(omp::self(), head, dependences.items(), dependences.count());
  return 0;
}

TULLE_KMP void __kmpc_omp_wait_deps(Ident*, int32_t, int32_t count, const Depend* list,
                                    int32_t more_count, const Depend* more) {
  omp::Thread* thread = omp::self_or_attach();
  if (omp::has_no_children(thread)) return;
  DependenceList dependences(list, count, more, more_count);
  dependences.follow_exclusive_sets();
  omp::taskwait(thread, dependences.items(), dependences.count());
}

TULLE_KMP void __kmpc_omp_taskwait_deps_51(Ident*, int32_t, int32_t count, const Depend* list,
                                           int32_t more_count, const Depend* more,
                                           int32_t nowait) {
  DependenceList dependences(list, count, more, more_count);
  omp::Thread* thread = omp::self_or_attach();
  if (!nowait) {
    dependences.follow_exclusive_sets();
    omp::taskwait(thread, dependences.items(), dependences.count());
    return;
  }
  TaskHead* head = make_task(thread, kTaskTied, sizeof(Task), 0, &run_empty);
  submit(thread, head, dependences.items(), dependences.count());
}

}  // namespace tulle::kmp
