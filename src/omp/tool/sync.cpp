// SPDX-License-Identifier: Apache-2.0
// Tools' view of waiting: barriers, taskwait, taskgroups, locks.
#include "base/probe.h"
#include "omp/tool/events.h"

namespace tulle::omp::tool {

namespace {

int state_of(SyncKind kind) {
  switch (kind) {
    case SyncKind::barrier_explicit: return kBarrierWaitExplicit;
    case SyncKind::barrier_workshare: return kBarrierWaitWorkshare;
    case SyncKind::barrier_parallel: return kBarrierWaitParallel;
    case SyncKind::barrier_teams: return kBarrierWaitTeams;
    case SyncKind::taskwait: return kTaskwaitWait;
    case SyncKind::taskgroup: return kTaskgroupWait;
    default: return kBarrierWaitImplementation;
  }
}

int state_of(MutexKind kind) {
  switch (kind) {
    case MutexKind::critical: return kCriticalWait;
    case MutexKind::atomic: return kAtomicWait;
    case MutexKind::ordered: return kOrderedWait;
    default: return kLockWait;
  }
}

uint64_t id_of(const void* wait_id) { return reinterpret_cast<uintptr_t>(wait_id); }

int working(const Thread* thread) { return thread->team->level == 0 ? kSerialWork : kParallelWork; }

template <Event event>
void tell_sync(Thread* thread, Task* task, SyncKind kind, Endpoint endpoint, const void* code) {
  if (event == Event::sync_region_wait && endpoint == Endpoint::begin)
    TULLE_PROBE_3(wait_begin, kind, thread->num, code);
  else if (event == Event::sync_region_wait)
    TULLE_PROBE_3(wait_end, kind, thread->num, code);
  OfTask& record = of(task);
  OfRegion& region = of(thread->team);
  const bool gone = kind == SyncKind::barrier_parallel && endpoint == Endpoint::end;
  tell<event>([&](auto callback, uint32_t tool) {
    callback(kind, endpoint, gone ? nullptr : &region.data[tool], &record.data[tool], code);
  });
}

}  // namespace

SyncRegion::SyncRegion(Thread* thread, SyncKind kind, const void* code)
    : inside_(thread), task_(thread->task()), code_(code), kind_(kind) {
  begin_sync(thread, kind, code);
}

SyncRegion::~SyncRegion() {
  Thread* thread = self();
  tell_sync<Event::sync_region_wait>(thread, task_, kind_, Endpoint::end, code_);
  of(thread).state.store(working(thread), std::memory_order_relaxed);
  tell_sync<Event::sync_region>(thread, task_, kind_, Endpoint::end, code_);
}

void begin_group(Thread* thread, const void* code) {
  known(thread);
  tell_sync<Event::sync_region>(thread, thread->task(), SyncKind::taskgroup, Endpoint::begin, code);
}

GroupEnd::GroupEnd(Thread* thread, const void* code) : inside_(thread), task_(thread->task()), code_(code) {
  of(thread).state.store(kTaskgroupWait, std::memory_order_relaxed);
  tell_sync<Event::sync_region_wait>(thread, task_, SyncKind::taskgroup, Endpoint::begin, code);
}

GroupEnd::~GroupEnd() {
  Thread* thread = self();
  tell_sync<Event::sync_region_wait>(thread, task_, SyncKind::taskgroup, Endpoint::end, code_);
  of(thread).state.store(working(thread), std::memory_order_relaxed);
  tell_sync<Event::sync_region>(thread, task_, SyncKind::taskgroup, Endpoint::end, code_);
}

void begin_sync(Thread* thread, SyncKind kind, const void* code) {
  OfThread& record = known(thread);
  tell_sync<Event::sync_region>(thread, thread->task(), kind, Endpoint::begin, code);
  record.state.store(state_of(kind), std::memory_order_relaxed);
  tell_sync<Event::sync_region_wait>(thread, thread->task(), kind, Endpoint::begin, code);
}

void end_sync(Thread* thread, SyncKind kind, const void* code) {
  tell_sync<Event::sync_region_wait>(thread, thread->task(), kind, Endpoint::end, code);
  of(thread).state.store(working(thread), std::memory_order_relaxed);
  tell_sync<Event::sync_region>(thread, thread->task(), kind, Endpoint::end, code);
}

void reduction(Thread* thread, Endpoint endpoint, const void* code) {
  known(thread);
  tell_sync<Event::reduction>(thread, thread->task(), SyncKind::reduction, endpoint, code);
}

void acquire(Thread* thread, MutexKind kind, const void* wait_id, const void* code) {
  OfThread& record = known(thread);
  TULLE_PROBE_3(lock_wait, kind, wait_id, code);
  tell<Event::mutex_acquire>(
      [&](auto callback, uint32_t) { callback(kind, 0, kQueuingLocks, id_of(wait_id), code); });
  record.wait_id.store(id_of(wait_id), std::memory_order_relaxed);
  record.state.store(state_of(kind), std::memory_order_relaxed);
}

void acquired(Thread* thread, MutexKind kind, const void* wait_id, const void* code) {
  not_acquired(thread);
  TULLE_PROBE_3(lock_taken, kind, wait_id, code);
  tell<Event::mutex_acquired>([&](auto callback, uint32_t) { callback(kind, id_of(wait_id), code); });
}

void not_acquired(Thread* thread) {
  OfThread& record = of(thread);
  record.state.store(working(thread), std::memory_order_relaxed);
  record.wait_id.store(0, std::memory_order_relaxed);
}

void released(MutexKind kind, const void* wait_id, const void* code) {
  TULLE_PROBE_3(lock_free, kind, wait_id, code);
  tell<Event::mutex_released>([&](auto callback, uint32_t) { callback(kind, id_of(wait_id), code); });
}

void nest_again(Endpoint endpoint, const void* wait_id, const void* code) {
  tell<Event::nest_lock>([&](auto callback, uint32_t) { callback(endpoint, id_of(wait_id), code); });
}

void lock_init(MutexKind kind, uint32_t hint, const void* wait_id, const void* code) {
  tell<Event::lock_init>(
      [&](auto callback, uint32_t) { callback(kind, hint, kQueuingLocks, id_of(wait_id), code); });
}

void lock_destroy(MutexKind kind, const void* wait_id, const void* code) {
  tell<Event::lock_destroy>([&](auto callback, uint32_t) { callback(kind, id_of(wait_id), code); });
}

}  // namespace tulle::omp::tool
