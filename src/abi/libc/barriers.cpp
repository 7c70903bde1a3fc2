// SPDX-License-Identifier: Apache-2.0
// The C library's barriers, of which each call is seen: a barrier of this process has a record here, by its address,
// and all who meet there do so at the record. Members are suspended meanwhile; OS threads sleep. Barriers that were
// initialised before this library came, or that other processes share, are the C library's alone.
//
// Ordering: arrivals (acq_rel) and the phase (release) pair with whoever waits (acquire): what each did before it
// arrived is seen by all afterwards. An OS thread counts itself, then looks at the phase; the last one to arrive
// writes the phase, then looks at the count.
#include <pthread.h>

#include <cstdlib>
#include <new>

#include "abi/libc/next.h"
#include "abi/libc/suspended.h"
#include "arch/symbol_versions.h"
#include "base/hash.h"
#include "os/futex.h"
#include "sched/parking.h"
#include "sync/spinlock.h"

namespace {

using namespace tulle::libc;
namespace os = tulle::os;
namespace sched = tulle::sched;
namespace sync = tulle::sync;

struct Barrier {
  const void* address;
  uint32_t members;
  uint32_t users = 1;  // who is inside, and the list; under the lock
  TULLE_CACHE_ALIGNED std::atomic<uint32_t> arrived{0};
  std::atomic<uint32_t> phase{0};     // futex word
  std::atomic<uint32_t> sleepers{0};  // OS threads
  Barrier* next = nullptr;
};

constexpr uint32_t kLists = 64;

TULLE_HELD_AT_FORK sync::Spinlock lock;
Barrier* lists[kLists] TULLE_GUARDED_BY(lock);

Barrier** find_locked(const void* address) TULLE_UNDER(lock) {
  Barrier** at = &lists[tulle::golden_hash(address) >> 58];
  while (*at != nullptr && (*at)->address != address) at = &(*at)->next;
  return at;
}

void leave_locked(Barrier* barrier) TULLE_UNDER(lock) {
  if (--barrier->users == 0) free(barrier);
}

void forget(const void* address) {
  sync::Guard guard(lock);
  Barrier** at = find_locked(address);
  Barrier* found = *at;
  if (found == nullptr) return;
  *at = found->next;
  leave_locked(found);
}

void remember(const void* address, uint32_t members) {
  forget(address);  // it was never destroyed
  void* memory = aligned_alloc(alignof(Barrier), sizeof(Barrier));
  if (memory == nullptr) return;
  auto* made = new (memory) Barrier{address, members};
  sync::Guard guard(lock);
  Barrier** at = find_locked(address);
  made->next = *at;
  *at = made;
}

Barrier* enter(const void* address) {
  sync::Guard guard(lock);
  Barrier* found = *find_locked(address);
  if (found != nullptr) ++found->users;
  return found;
}

void leave(Barrier* barrier) {
  sync::Guard guard(lock);
  leave_locked(barrier);
}

void sleep_until_passed(Barrier* barrier, uint32_t phase) {
  barrier->sleepers.fetch_add(1, std::memory_order_seq_cst);
  while (barrier->phase.load(std::memory_order_seq_cst) == phase) os::futex_wait(barrier->phase, phase);
  barrier->sleepers.fetch_sub(1, std::memory_order_relaxed);
}

void wait_until_passed(Barrier* barrier, uint32_t phase) {
  bool seen = may_be_seen();
  if (seen && may_suspend(barrier->address)) return sched::wait_while(barrier->phase, phase);
  if (seen) sched::begin_blocking(sched::Caller::thread);
  sleep_until_passed(barrier, phase);
  if (seen) sched::end_blocking();
}

// True: the caller is the last one, and all go on.
bool arrive(Barrier* barrier, uint32_t phase) {
  if (barrier->arrived.fetch_add(1, std::memory_order_acq_rel) + 1 != barrier->members) return false;
  barrier->arrived.store(0, std::memory_order_relaxed);  // published by the phase
  barrier->phase.store(phase + 1, std::memory_order_seq_cst);
  sched::wake_all(barrier->phase);
  if (barrier->sleepers.load(std::memory_order_seq_cst) != 0) os::futex_wake(barrier->phase, INT32_MAX);
  return true;
}

bool is_shared(const pthread_barrierattr_t* attributes) {
  int shared = PTHREAD_PROCESS_PRIVATE;
  return attributes != nullptr && (next(kBarrierShared, attributes, &shared) != 0 || shared != PTHREAD_PROCESS_PRIVATE);
}

}  // namespace

TULLE_OF_LIBC(TULLE_OLD_AT(pthread_barrier_init, "2.2.5"), TULLE_AT(pthread_barrier_init, "2.34"))
int make_barrier(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes, unsigned members) {
  int error = next(kBarrierInit, barrier, attributes, members);
  if (error == 0 && !is_shared(attributes)) remember(barrier, members);
  return error;
}

TULLE_OF_LIBC(TULLE_OLD_AT(pthread_barrier_destroy, "2.2.5"), TULLE_AT(pthread_barrier_destroy, "2.34"))
int end_barrier(pthread_barrier_t* barrier) {
  forget(barrier);
  return next(kBarrierDestroy, barrier);
}

TULLE_OF_LIBC(TULLE_OLD_AT(pthread_barrier_wait, "2.2.5"), TULLE_AT(pthread_barrier_wait, "2.34"))
int wait_barrier_wait(pthread_barrier_t* address) {
  Barrier* barrier = enter(address);
  if (barrier == nullptr) return wait_as_thread(kBarrierWait, address);
  uint32_t phase = barrier->phase.load(std::memory_order_acquire);
  bool last = arrive(barrier, phase);
  if (!last) wait_until_passed(barrier, phase);
  leave(barrier);
  return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
