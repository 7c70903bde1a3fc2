// SPDX-License-Identifier: Apache-2.0
// What tools may ask that does not depend on the calling thread's data: places, processors, lists of names.
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <span>

#include "omp/binding/placement.h"
#include "omp/icv/icv.h"
#include "omp/places/places.h"
#include "ompt/inquiry.h"

namespace tulle::ompt {

namespace tool = omp::tool;

namespace {

struct Name {
  int value;
  const char* name;
};

// Each value is followed by the next one.
constexpr Name kStates[] = {
    {tool::kUndefined, "ompt_state_undefined"},
    {tool::kSerialWork, "ompt_state_work_serial"},
    {tool::kParallelWork, "ompt_state_work_parallel"},
    {tool::kBarrierWaitParallel, "ompt_state_wait_barrier_implicit_parallel"},
    {tool::kBarrierWaitWorkshare, "ompt_state_wait_barrier_implicit_workshare"},
    {tool::kBarrierWaitExplicit, "ompt_state_wait_barrier_explicit"},
    {tool::kBarrierWaitImplementation, "ompt_state_wait_barrier_implementation"},
    {tool::kBarrierWaitTeams, "ompt_state_wait_barrier_teams"},
    {tool::kTaskwaitWait, "ompt_state_wait_taskwait"},
    {tool::kTaskgroupWait, "ompt_state_wait_taskgroup"},
    {tool::kLockWait, "ompt_state_wait_lock"},
    {tool::kCriticalWait, "ompt_state_wait_critical"},
    {tool::kAtomicWait, "ompt_state_wait_atomic"},
    {tool::kOrderedWait, "ompt_state_wait_ordered"},
};

constexpr Name kLocks[] = {{0, "kmp_mutex_impl_none"}, {tool::kQueuingLocks, "kmp_mutex_impl_queuing"}};

int enumerate(std::span<const Name> names, int current, int* next, const char** name) {
  auto found = std::find_if(names.begin(), names.end(), [=](const Name& n) { return n.value == current; });
  if (found == names.end() || found + 1 == names.end()) return 0;
  *next = found[1].value;
  *name = found[1].name;
  return 1;
}

}  // namespace

int enumerate_states(int current, int* next, const char** name) { return enumerate(kStates, current, next, name); }

int enumerate_mutex_impls(int current, int* next, const char** name) {
  return enumerate(kLocks, current, next, name);
}

int num_procs() { return omp::global_icv().cpus; }
int num_places() { return omp::places().count(); }

int place_procs(int place, int room, int* ids) {
  if (place < 0 || place >= omp::places().count()) return 0;
  std::span<const int> cpus = omp::places().cpus(place);
  const auto count = static_cast<int>(cpus.size());
  std::copy_n(cpus.begin(), std::clamp(room, 0, count), ids);
  return count;
}

// Not for OS threads that are none of OpenMP's: nobody has bound them.
int place_num() {
  const omp::Thread* thread = omp::self();
  return thread != nullptr ? omp::placement_of(thread).place : -1;
}

int partition_places(int room, int* numbers) {
  const omp::Placement placement = omp::placement_of(omp::self());
  const auto count = static_cast<int>(placement.count);
  for (int i = 0; i < std::min(room, count); ++i) numbers[i] = static_cast<int>(placement.first) + i;
  return count;
}

// Not the C library's, which asks the TLS block in force.
int proc_id() {
  unsigned cpu = 0;
  return syscall(SYS_getcpu, &cpu, nullptr, nullptr) == 0 ? static_cast<int>(cpu) : -1;
}

}  // namespace tulle::ompt
