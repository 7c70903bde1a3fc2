// SPDX-License-Identifier: Apache-2.0
//
// critical and the reduction clause of Clang, Flang and Intel's compilers. Both get the name of a
// critical section: 32 zero bytes in the program. The first word is the lock; the fifth says which
// thread holds it for a reduction, because the end of a reduction does not say how it was begun.
#include "abi/kmp/layout.h"
#include "omp/sync/critical.h"
#include "omp/thread/team.h"
#include "omp/sync/told_lock.h"
#include "omp/tool/events.h"
#include "omp/worksharing/combine.h"
#include "omp/worksharing/told.h"
#include "sched/parking.h"

namespace tulle::kmp {
namespace {

constexpr omp::tool::MutexKind kCritical = omp::tool::MutexKind::critical, kAtomic = omp::tool::MutexKind::atomic;
constexpr int kReductionOwner = 4;  // index of a word in CriticalName; written by the holder only

enum class Method : int32_t { done = 0, combine = 1, combine_atomically = 2 };

// One reduction, as the compilers describe it.
struct Reduction {
  const Ident* location;
  void* data;  // where the thread's copies are
  omp::CombineCopies combine;
  CriticalName* name;
};

// KMP_DETERMINISTIC_REDUCTION: threads combine in the order of their numbers. Each combines every
// reduction of the region, so one count tells whose turn it is. May suspend.
void wait_for_turn(omp::Thread* thread) {
  std::atomic<uint32_t>& turn = thread->team->combine_turn;
  const uint32_t mine = thread->combined * thread->team->nthreads + thread->num;
  for (uint32_t seen; (seen = turn.load(std::memory_order_acquire)) != mine;)  // pairs with pass_turn
    sched::wait_while(turn, seen);
}

void pass_turn(omp::Thread* thread) {
  ++thread->combined;
  thread->team->combine_turn.fetch_add(1, std::memory_order_release);
  sched::wake_all(thread->team->combine_turn);
}

// A large team's threads combine on their way to each other. Those of others one after the other, or each item atomically
// where the compiler prepared that: no thread waits for another one to arrive. Done: others have the thread's copies.
TULLE_MAY_SUSPEND Method begin_reduction(const Reduction& reduction) {
  omp::Thread* thread = omp::self_or_attach();
  if (thread->team->nthreads == 1) return Method::combine;
  if (TULLE_UNLIKELY(omp::global_icv().ordered_reductions.value))
    wait_for_turn(thread);
  else if (TULLE_UNLIKELY(omp::combines_at_tree(thread->team)) && reduction.combine != nullptr)
    return omp::combine_at_tree(thread, reduction.data, reduction.combine) ? Method::combine : Method::done;
  else if (reduction.location && (reduction.location->flags & kIdentAtomicReduce))
    return Method::combine_atomically;
  omp::critical_lock(reduction.name).set();
  (*reduction.name)[kReductionOwner] = static_cast<int32_t>(omp::self()->gtid) + 1;
  return Method::combine;
}

void end_combination(CriticalName* name) {
  // Another thread's mark can be read while it changes, but never as this thread's.
  int32_t* owner = &(*name)[kReductionOwner];
  const int32_t mine = static_cast<int32_t>(omp::self()->gtid) + 1;
  if (__atomic_load_n(owner, __ATOMIC_RELAXED) != mine) return;
  __atomic_store_n(owner, 0, __ATOMIC_RELAXED);
  omp::critical_lock(name).unset();
  if (TULLE_UNLIKELY(omp::global_icv().ordered_reductions.value)) pass_turn(omp::self());
}

void tell_reduction(omp::tool::Endpoint endpoint, const void* code) {
  if (omp::tool::active()) omp::tool::reduction(omp::self_or_attach(), endpoint, code);
}

}  // namespace

TULLE_KMP void __kmpc_critical(Ident*, int32_t, CriticalName* name) {
  omp::enter(omp::critical_lock(name), kCritical);
}

// Hints choose among locks; there is one that fits all.
TULLE_KMP void __kmpc_critical_with_hint(Ident*, int32_t, CriticalName* name, uint32_t) {
  omp::enter(omp::critical_lock(name), kCritical);
}

TULLE_KMP void __kmpc_end_critical(Ident*, int32_t, CriticalName* name) {
  omp::leave(omp::critical_lock(name), kCritical);
}

// Whose copies others have does not come to the end.
TULLE_KMP int32_t __kmpc_reduce(Ident* location, int32_t, int32_t, size_t, void* data, omp::CombineCopies combine,
                                CriticalName* name) {
  tell_reduction(omp::tool::Endpoint::begin, __builtin_return_address(0));
  const Method method = begin_reduction({location, data, combine, name});
  if (TULLE_UNLIKELY(method == Method::done)) {
    tell_reduction(omp::tool::Endpoint::end, __builtin_return_address(0));
    omp::meet(omp::tool::SyncKind::barrier_workshare);
  }
  return static_cast<int32_t>(method);
}

TULLE_KMP int32_t __kmpc_reduce_nowait(Ident* location, int32_t, int32_t, size_t, void* data, omp::CombineCopies combine,
                                       CriticalName* name) {
  tell_reduction(omp::tool::Endpoint::begin, __builtin_return_address(0));
  const Method method = begin_reduction({location, data, combine, name});
  if (TULLE_UNLIKELY(method == Method::done)) tell_reduction(omp::tool::Endpoint::end, __builtin_return_address(0));
  return static_cast<int32_t>(method);
}

TULLE_KMP void __kmpc_end_reduce(Ident*, int32_t, CriticalName* name) {
  end_combination(name);
  tell_reduction(omp::tool::Endpoint::end, __builtin_return_address(0));
  omp::meet(omp::tool::SyncKind::barrier_workshare);
}

TULLE_KMP void __kmpc_end_reduce_nowait(Ident*, int32_t, CriticalName* name) {
  end_combination(name);
  tell_reduction(omp::tool::Endpoint::end, __builtin_return_address(0));
}

TULLE_KMP void __kmpc_atomic_start() { omp::enter(omp::atomic_fallback, kAtomic); }
TULLE_KMP void __kmpc_atomic_end() { omp::leave(omp::atomic_fallback, kAtomic); }

}  // namespace tulle::kmp
