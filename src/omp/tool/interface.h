// SPDX-License-Identifier: Apache-2.0
// What OpenMP 5.2 §19 lays down between a runtime and its tools: numbers, records and the types of callbacks,
// in C's terms. The tools of tests/ompt are built with a compiler's omp-tools.h instead.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tulle::omp::tool {

union Data {
  uint64_t value;
  void* ptr;
};

enum FrameFlags : int { kRuntimeFrame = 0x00, kStackAddress = 0x30 };

struct FrameRecord {
  Data exit;   // where the runtime left for the task's code
  Data enter;  // where that came back to the runtime
  int exit_flags;
  int enter_flags;
};

enum class Event : uint32_t {
  thread_begin = 1,
  thread_end = 2,
  parallel_begin = 3,
  parallel_end = 4,
  task_create = 5,
  task_schedule = 6,
  implicit_task = 7,
  control_tool = 11,
  sync_region_wait = 16,
  mutex_released = 17,
  dependences = 18,
  task_dependence = 19,
  work = 20,
  masked = 21,
  sync_region = 23,
  lock_init = 24,
  lock_destroy = 25,
  mutex_acquire = 26,
  mutex_acquired = 27,
  nest_lock = 28,
  flush = 29,
  cancel = 30,
  reduction = 31,
  dispatch = 32,
  error = 37,
  // Tulle's own.
  suspended = 40,   // the calling thread gives its worker to others, in the middle of its current task
  resumed = 41,     // it goes on; since when it could have, by the processor's counter, 0: unknown
  task_ready = 42,  // what a task with dependences has to follow is complete
  device_wait = 43,  // the current task waits for the end of a target region
};
inline constexpr uint32_t kEvents = 40;  // numbers below this are known, of devices' events too
inline constexpr uint32_t kAllEvents = 44;  // and of Tulle's own, which the specification has no names for

enum class Answer : int { error = 0, never = 1, impossible = 2, sometimes = 3, sometimes_paired = 4, always = 5 };

enum class ThreadKind : int { initial = 1, worker = 2 };
enum class Endpoint : int { begin = 1, end = 2, both = 3 };

enum class SyncKind : int {
  barrier_explicit = 3,
  barrier_implementation = 4,
  taskwait = 5,
  taskgroup = 6,
  reduction = 7,
  barrier_workshare = 8,
  barrier_parallel = 9,
  barrier_teams = 10,
};

enum class WorkKind : int {
  none = 0,
  loop = 1,
  sections = 2,
  single_executor = 3,
  single_other = 4,
  distribute = 6,
  taskloop = 7,
  scope = 8,
  loop_static = 10,
  loop_dynamic = 11,
  loop_guided = 12,
  loop_other = 13,
};

enum class MutexKind : int {
  lock = 1,
  test_lock = 2,
  nest_lock = 3,
  test_nest_lock = 4,
  critical = 5,
  atomic = 6,
  ordered = 7,
};

enum TaskFlags : uint32_t {
  kInitialTask = 0x1,
  kImplicitTask = 0x2,
  kExplicitTask = 0x4,
  kUndeferredTask = 0x08000000,
  kUntiedTask = 0x10000000,
  kFinalTask = 0x20000000,
};

enum class TaskStatus : int {
  complete = 1,
  yield = 2,
  cancel = 3,
  detach = 4,
  early_fulfill = 5,
  late_fulfill = 6,
  switched = 7,
};

enum ParallelFlags : uint32_t { kInvokedByProgram = 0x1, kInvokedByRuntime = 0x2, kLeague = 0x40000000, kTeam = 0x80000000 };

enum CancelFlags : int {
  kCancelParallel = 0x1,
  kCancelSections = 0x2,
  kCancelLoop = 0x4,
  kCancelTaskgroup = 0x8,
  kCancelActivated = 0x10,
  kCancelDetected = 0x20,
  kCancelDiscardedTask = 0x40,
};

enum class DispatchKind : int { iteration = 1, section = 2, loop_chunk = 3, taskloop_chunk = 4, distribute_chunk = 5 };

enum class Severity : int { warning = 1, fatal = 2 };

struct DispatchedChunk {
  uint64_t start;
  uint64_t iterations;
};

inline constexpr int kSourceDependence = 5, kSinkDependence = 6;  // of iterations

struct ToldDependence {
  Data variable;
  int kind;
};

enum State : int {
  kSerialWork = 0x000,
  kParallelWork = 0x001,
  kBarrierWaitParallel = 0x011,
  kBarrierWaitWorkshare = 0x012,
  kBarrierWaitExplicit = 0x014,
  kBarrierWaitImplementation = 0x015,
  kBarrierWaitTeams = 0x016,
  kTaskwaitWait = 0x020,
  kTaskgroupWait = 0x021,
  kLockWait = 0x041,
  kCriticalWait = 0x042,
  kAtomicWait = 0x043,
  kOrderedWait = 0x044,
  kOverhead = 0x101,
  kUndefined = 0x102,
};

// How locks wait: kmp_mutex_impl_queuing, the name under which other runtimes tell of such.
inline constexpr uint32_t kQueuingLocks = 2;

using Callback = void (*)();
using Lookup = Callback (*)(const char* name);

struct StartResult {
  int (*initialize)(Lookup lookup, int initial_device, Data* tool_data);
  void (*finalize)(Data* tool_data);
  Data tool_data;
};
using StartTool = StartResult* (*)(unsigned int openmp_version, const char* runtime_version);

// The type of each event's callback.
template <Event event>
struct CallbackOf;

#define TULLE_TOOL_CALLBACK(event, ...) \
  template <>                           \
  struct CallbackOf<Event::event> {     \
    using Type = __VA_ARGS__;           \
  };
TULLE_TOOL_CALLBACK(thread_begin, void (*)(ThreadKind, Data*))
TULLE_TOOL_CALLBACK(thread_end, void (*)(Data*))
TULLE_TOOL_CALLBACK(parallel_begin, void (*)(Data*, const FrameRecord*, Data*, unsigned, int, const void*))
TULLE_TOOL_CALLBACK(parallel_end, void (*)(Data*, Data*, int, const void*))
TULLE_TOOL_CALLBACK(task_create, void (*)(Data*, const FrameRecord*, Data*, int, int, const void*))
TULLE_TOOL_CALLBACK(task_schedule, void (*)(Data*, TaskStatus, Data*))
TULLE_TOOL_CALLBACK(implicit_task, void (*)(Endpoint, Data*, Data*, unsigned, unsigned, int))
TULLE_TOOL_CALLBACK(control_tool, int (*)(uint64_t, uint64_t, void*, const void*))
TULLE_TOOL_CALLBACK(sync_region_wait, void (*)(SyncKind, Endpoint, Data*, Data*, const void*))
TULLE_TOOL_CALLBACK(mutex_released, void (*)(MutexKind, uint64_t, const void*))
TULLE_TOOL_CALLBACK(dependences, void (*)(Data*, const ToldDependence*, int))
TULLE_TOOL_CALLBACK(task_dependence, void (*)(Data*, Data*))
TULLE_TOOL_CALLBACK(work, void (*)(WorkKind, Endpoint, Data*, Data*, uint64_t, const void*))
TULLE_TOOL_CALLBACK(masked, void (*)(Endpoint, Data*, Data*, const void*))
TULLE_TOOL_CALLBACK(sync_region, void (*)(SyncKind, Endpoint, Data*, Data*, const void*))
TULLE_TOOL_CALLBACK(lock_init, void (*)(MutexKind, unsigned, unsigned, uint64_t, const void*))
TULLE_TOOL_CALLBACK(lock_destroy, void (*)(MutexKind, uint64_t, const void*))
TULLE_TOOL_CALLBACK(mutex_acquire, void (*)(MutexKind, unsigned, unsigned, uint64_t, const void*))
TULLE_TOOL_CALLBACK(mutex_acquired, void (*)(MutexKind, uint64_t, const void*))
TULLE_TOOL_CALLBACK(nest_lock, void (*)(Endpoint, uint64_t, const void*))
TULLE_TOOL_CALLBACK(flush, void (*)(Data*, const void*))
TULLE_TOOL_CALLBACK(cancel, void (*)(Data*, int, const void*))
TULLE_TOOL_CALLBACK(reduction, void (*)(SyncKind, Endpoint, Data*, Data*, const void*))
TULLE_TOOL_CALLBACK(dispatch, void (*)(Data*, Data*, DispatchKind, Data))
TULLE_TOOL_CALLBACK(error, void (*)(Severity, const char*, size_t, const void*))
TULLE_TOOL_CALLBACK(suspended, void (*)())
TULLE_TOOL_CALLBACK(resumed, void (*)(uint64_t))
TULLE_TOOL_CALLBACK(task_ready, void (*)(Data*))
TULLE_TOOL_CALLBACK(device_wait, void (*)(Endpoint))
#undef TULLE_TOOL_CALLBACK

}  // namespace tulle::omp::tool
