// SPDX-License-Identifier: Apache-2.0
#include "omp/places/worker_place.h"

#include <atomic>

#include "omp/places/places.h"
#include "os/cpus.h"
#include "sync/spinlock.h"

namespace tulle::omp {
namespace {

// Of each worker its OS thread, which changes when the pool ends and starts again, in the high half; in
// the low half the place plus one, or 0 for all places, and whether the worker chose it itself. 0: bound to
// nothing yet. W: that worker; R: any. Workers beyond the table are bound anew each time, to the place of
// each thread.
constexpr uint32_t kRemembered = 1024;
constexpr uint64_t kOwn = uint64_t{1} << 31;
constexpr int32_t kAll = -1;
std::atomic<uint64_t> bound[kRemembered];
std::atomic<uint32_t> highest{0};  // all entries from here on are 0

// So that two workers do not choose the same place.
TULLE_HELD_AT_FORK sync::Spinlock choosing;

uint64_t entry_of(const sched::Worker* worker, int32_t place) {
  // Relaxed: the worker's own, set before it worked.
  auto os_thread = static_cast<uint32_t>(worker->kernel_id.load(std::memory_order_relaxed));
  return uint64_t{os_thread} << 32 | static_cast<uint32_t>(place + 1);
}

int32_t place_of(uint64_t entry) {
  return static_cast<int32_t>(static_cast<uint32_t>(entry & ~kOwn)) - 1;
}

// Relaxed, here and below: under the lock where it matters; a flat team may move a worker meanwhile, which
// is as good as a moment later.
bool has_room(int32_t place, uint32_t self) {
  std::size_t workers = 0;
  uint32_t end = highest.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < end; ++i)
    workers += i != self && place_of(bound[i].load(std::memory_order_relaxed)) == place;
  return workers < places().cpus(place).size();
}

// A spare stands in for a worker that is stuck or has no CPU, and comes and goes: it takes nobody's room.
int32_t own_place(const sched::Worker* worker, int32_t present, int32_t wanted) {
  if (worker->kind == sched::WorkerKind::spare) return kAll;
  if (present >= 0 && has_room(present, worker->index)) return present;
  int32_t count = places().count();
  for (int32_t i = 0; i < count; ++i)
    if (has_room((wanted + i) % count, worker->index)) return (wanted + i) % count;
  return wanted;
}

CpuSet all_places() {
  CpuSet all;
  for (int32_t i = 0; i < places().count(); ++i) all |= places().cpu_set(i);
  return all;
}

// True if the worker was not there already.
bool note(uint32_t index, uint64_t entry) {
  uint64_t before = bound[index].exchange(entry, std::memory_order_relaxed);
  uint32_t end = highest.load(std::memory_order_relaxed);
  while (end <= index &&
         !highest.compare_exchange_weak(end, index + 1, std::memory_order_relaxed)) {
  }
  return (before | kOwn) != (entry | kOwn);
}

}  // namespace

void bind_worker_to(const sched::Worker* worker, int32_t place, bool to_itself) {
  if (TULLE_UNLIKELY(worker->guests == sched::Guests::itself)) return;  // its OS threads are the program's
  uint32_t index = worker->index;
  if (index < kRemembered) {
    uint64_t now = bound[index].load(std::memory_order_relaxed), wanted = entry_of(worker, place);
    if (to_itself) {
      if ((now & ~kOwn) == wanted) return;
      note(index, wanted);
    } else {
      bool known = now >> 32 == wanted >> 32;
      if (known && (now & kOwn) != 0) return;
      sync::Guard guard(choosing);
      place = own_place(worker, known ? place_of(now) : kAll, place);
      if (!note(index, entry_of(worker, place) | kOwn)) return;
    }
  }
  os::set_affinity_mask(0, place == kAll ? all_places() : places().cpu_set(place));
}

void forget_bound_worker(const sched::Worker* worker) {
  if (worker->index < kRemembered) bound[worker->index].store(0, std::memory_order_relaxed);
}

void forget_bound_workers(const sched::Worker* but) {
  for (uint32_t i = 0; i < kRemembered; ++i)
    if (but == nullptr || i != but->index) bound[i].store(0, std::memory_order_relaxed);
}

}  // namespace tulle::omp
