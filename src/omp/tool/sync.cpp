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

// What is told of one wait, looked up once for the two events at each of its ends.
struct ToldSync {
  ToldSync(Thread* thread, Task* waiting, SyncKind waits_for, const void* called_at)
      : task(of(waiting)), region(of(thread->team)), kind(waits_for), number(thread->num), code(called_at) {}

  OfTask& task;
  OfRegion& region;
  SyncKind kind;
  uint32_t number;  // of the thread
  const void* code;
};

template <Event event>
TULLE_INLINE void tell_sync(const ToldSync& sync, Endpoint endpoint) {
  const bool gone = sync.kind == SyncKind::barrier_parallel && endpoint == Endpoint::end;
  tell<event>([&](auto callback, uint32_t tool) {
    callback(sync.kind, endpoint, gone ? nullptr : &sync.region.data[tool], &sync.task.data[tool], sync.code);
  });
}

// One place for each probe: a debugger counts its stops by place.
TULLE_NOINLINE void tell_wait(const ToldSync& sync, Endpoint endpoint) {
  if (endpoint == Endpoint::begin)
    TULLE_PROBE_3(wait_begin, sync.kind, sync.number, sync.code);
  else
    TULLE_PROBE_3(wait_end, sync.kind, sync.number, sync.code);
  tell_sync<Event::sync_region_wait>(sync, endpoint);
}

// Both events of a wait's end, in the name of `thread`.
void tell_end(Thread* thread, Task* task, SyncKind kind, const void* code) {
  const ToldSync sync(thread, task, kind, code);
  tell_wait(sync, Endpoint::end);
  of(thread).state.store(working(thread), std::memory_order_relaxed);
  tell_sync<Event::sync_region>(sync, Endpoint::end);
}

}  // namespace

SyncRegion::SyncRegion(Thread* thread, SyncKind kind, const void* code)
    : inside_(thread), task_(thread->task()), code_(code), kind_(kind) {
  begin_sync(thread, kind, code);
}

SyncRegion::~SyncRegion() { tell_end(self(), task_, kind_, code_); }

DeviceWait::DeviceWait() {
  if (active()) tell<Event::device_wait>([](auto callback, uint32_t) { callback(Endpoint::begin); });
}

DeviceWait::~DeviceWait() {
  if (active()) tell<Event::device_wait>([](auto callback, uint32_t) { callback(Endpoint::end); });
}

void begin_group(Thread* thread, const void* code) {
  known(thread);
  tell_sync<Event::sync_region>({thread, thread->task(), SyncKind::taskgroup, code}, Endpoint::begin);
}

GroupEnd::GroupEnd(Thread* thread, const void* code) : inside_(thread), task_(thread->task()), code_(code) {
  of(thread).state.store(kTaskgroupWait, std::memory_order_relaxed);
  tell_wait({thread, task_, SyncKind::taskgroup, code}, Endpoint::begin);
}

GroupEnd::~GroupEnd() { tell_end(self(), task_, SyncKind::taskgroup, code_); }

void begin_sync(Thread* thread, SyncKind kind, const void* code) {
  OfThread& record = known(thread);
  const ToldSync sync(thread, thread->task(), kind, code);
  tell_sync<Event::sync_region>(sync, Endpoint::begin);
  record.state.store(state_of(kind), std::memory_order_relaxed);
  tell_wait(sync, Endpoint::begin);
}

void end_sync(Thread* thread, SyncKind kind, const void* code) { tell_end(thread, thread->task(), kind, code); }

void reduction(Thread* thread, Endpoint endpoint, const void* code) {
  known(thread);
  tell_sync<Event::reduction>({thread, thread->task(), SyncKind::reduction, code}, endpoint);
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
