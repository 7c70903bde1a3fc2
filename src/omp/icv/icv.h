// SPDX-License-Identifier: Apache-2.0
//
// Internal control variables (OpenMP 5.2 §2). `Icv` is the data environment's share: each task has
// a `const Icv*`, inherits its parent's, and gets a copy of its own when a routine sets one of them.
// `GlobalIcv` is what the environment fixed for the whole process, each variable with its origin;
// it is built on first need (loading the library reads nothing) and never changes afterwards.
// `DeviceIcv` holds the few process-wide variables that routines may change later.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tulle::omp {

// Numbered as omp_sched_t and what libomp adds to it. `unset`, only in run-sched-var: nobody chose, so that
// each compiler's own runtime's default holds.
enum class ScheduleKind : uint8_t {
  unset = 0,
  fixed = 1,
  dynamic = 2,
  guided = 3,
  automatic = 4,
  trapezoidal = 101
};

// Numbered as omp_proc_bind_t and what libomp adds to it, `in_turn`: a region's policy alone (omp/binding/placement.h).
enum class ProcBind : uint8_t { off = 0, on = 1, primary = 2, close = 3, spread = 4, in_turn = 5 };

// The runtimes whose interfaces these are. Where they differ, code that asks by the interface of one gets that
// one's way.
enum class Peer : uint8_t { libgomp, libomp };

// Where teams of more than a few threads, each with a worker of its own, meet (omp/region/cached_teams.h).
enum class LargeBarrier : uint8_t { automatic, tree, counter };

// The fate of a task that could be deferred (omp/queue/task_policy.h).
enum class TaskCreation : uint8_t { adaptive, breadth_first, work_first };
enum class TaskQueues : uint8_t { partitioned, global };
enum class TaskDistribution : uint8_t { own, round_robin, adaptive };
enum class TaskCutoff : uint8_t { adaptive, yield, work_first, none };

struct RunSchedule {
  int32_t chunk;  // 0: the kind's default
  ScheduleKind kind;
  bool monotonic;  // the modifier was given; `fixed` is monotonic in any case
};

inline constexpr int kMaxActiveLevels = 0x7fffffff;  // omp_get_supported_active_levels()
inline constexpr int kUnlimitedThreads = 0x7fffffff;
inline constexpr int kInvalidDevice = -4;  // omp_invalid_device

// Data-environment ICVs of one task, and def-allocator-var of the implicit task.
struct Icv {
  const uint32_t* nthreads_inner;  // values for the levels inside this one: the environment's, or a clause's
  const ProcBind* bind_inner;      // the same for bind-var
  uintptr_t def_allocator;         // omp_allocator_handle_t
  uint32_t nthreads;               // nthreads-var's head: team size of the next region
  int32_t thread_limit;
  int32_t max_active_levels;
  int32_t default_device;
  RunSchedule run_sched;
  uint16_t nthreads_inner_count;
  uint16_t bind_inner_count;
  ProcBind bind;  // bind-var's head: policy of the next region
  bool dyn;
  bool sizes_fixed;  // somebody said that dyn-var is false: teams that spin keep their size
  bool observed;  // members are bound, displayed or counted as they begin (omp/binding/placement.h)
  TaskCreation task_creation;
};
static_assert(std::is_trivially_copyable_v<Icv> && sizeof(Icv) <= 72);

// Whether the implicit tasks of a region need ICVs that differ from the encountering task's
// (list values are used up level by level). The place partition follows from omp/binding/placement.h.
inline bool icv_changes_inside(const Icv& icv) {
  return (icv.nthreads_inner_count | icv.bind_inner_count) != 0;
}

// Takes the next value of nthreads-var's list. That of a clause may hold what makes no sense.
inline void take_inner_threads(Icv& icv) {
  auto threads = static_cast<int32_t>(*icv.nthreads_inner++);
  icv.nthreads = threads > 0 ? static_cast<uint32_t>(threads) : 1;
  icv.nthreads_inner_count--;
}

// The ICVs of the implicit tasks of a region that `outer` encounters (OpenMP 5.2 §2.5).
inline Icv icv_inside(const Icv& outer) {
  Icv inner = outer;
  if (inner.nthreads_inner_count != 0) take_inner_threads(inner);
  if (inner.bind_inner_count != 0) {
    inner.bind = *inner.bind_inner++;
    inner.bind_inner_count--;
  }
  return inner;
}

// Where the value of a variable came from.
enum class Origin : uint8_t { standard, environment, affinity_mask, cgroup_quota };

struct Source {
  Origin origin = Origin::standard;
  const char* variable = nullptr;  // the environment variable that decided; static storage
};

template <class T>
struct Setting {
  T value{};
  Source source{};
};

enum class WaitPolicy : uint8_t { bounded, active, passive };
enum class TargetOffload : uint8_t { automatic, mandatory, disabled };
enum class DisplayEnv : uint8_t { off, on, verbose };
enum class ToolUse : uint8_t { enabled, disabled };
enum class TlsMode : uint8_t { automatic, whole, bare };

inline constexpr int kMaxListLevels = 32;
inline constexpr uint64_t kEndless = UINT64_MAX;

struct NumThreadsList {
  uint32_t count;  // at least 1
  uint32_t values[kMaxListLevels];
};

struct ProcBindList {
  uint32_t count;  // at least 1
  ProcBind values[kMaxListLevels];
};

struct GlobalIcv {
  int32_t cpus = 0;  // that the process could use when it was built: omp_get_num_procs()
  int32_t quota_cpus = 0;  // that its control groups left it then; no limit: more than there are

  // OpenMP's own.
  Setting<NumThreadsList> num_threads;
  Setting<ProcBindList> proc_bind;
  Setting<bool> dynamic;
  Setting<RunSchedule> schedule;
  Setting<int32_t> max_active_levels;
  Setting<int32_t> thread_limit;
  Setting<size_t> stack_size;  // bytes; 0: the platform's default
  Setting<WaitPolicy> wait_policy;
  Setting<bool> cancellation;
  Setting<int32_t> max_task_priority;
  Setting<int32_t> default_device;
  Setting<TargetOffload> target_offload;
  Setting<int32_t> num_teams;           // 0: the implementation's choice
  Setting<int32_t> teams_thread_limit;  // 0: the implementation's choice
  Setting<uintptr_t> allocator;         // omp_allocator_handle_t
  Setting<DisplayEnv> display_env;
  Setting<bool> display_affinity;
  Setting<const char*> affinity_format;
  Setting<const char*> places;        // OMP_PLACES as given, null if not; omp/places/places.h has the result
  Setting<const char*> cpu_affinity;  // GOMP_CPU_AFFINITY, likewise
  Setting<ToolUse> tool;
  Setting<const char*> tool_libraries;
  Setting<const char*> tool_verbose_init;
  Setting<bool> debug;

  // Waiting: for how long a worker polls before it sleeps, and the same as a number of polls.
  Setting<uint64_t> blocktime_us;  // kEndless: poll for ever; 0: sleep at once
  Setting<uint64_t> spin_count;

  // Tulle's own.
  Setting<const char*> policy;  // name of the scheduling policy
  Setting<const char*> placement;  // file for where threads ran; null: they are not counted
  Setting<TlsMode> tls;
  Setting<LargeBarrier> barrier;
  Setting<bool> learns;  // whether what was seen of a region's members decides about its next time
  Setting<uint64_t> monitor_tick_us;  // the monitor's period while a runqueue waits
  Setting<bool> waits;                // whether the C library's waits are seen
  Setting<bool> shares_cpus;          // with other processes that say so
  Setting<uint32_t> workers;          // 0: as many as usable CPUs
  Setting<uint32_t> stack_limit;      // stacks in use from which on tasks begin more slowly; 0: none
  Setting<uint32_t> task_limit;       // deferred tasks, unfinished in one team
  Setting<TaskCreation> task_creation;
  Setting<TaskQueues> task_queues;
  Setting<TaskDistribution> task_distribution;
  Setting<TaskCutoff> task_cutoff;
  Setting<const char*> task_graph;  // null: graphs of unmodified programs are not repeated

  // Intel's, accepted because programs' scripts set them.
  Setting<bool> warnings;
  Setting<bool> settings_shown;
  Setting<bool> version_shown;
  Setting<bool> ordered_reductions;  // KMP_DETERMINISTIC_REDUCTION
  Setting<bool> serial_library;  // KMP_LIBRARY=serial: every team has one thread
  Setting<const char*> kmp_affinity;
  Setting<bool> unbinds;  // it says reset
  Setting<ProcBind> teams_bind;  // how the teams of a league are dealt out to places
  Setting<const char*> kmp_hw_subset;
};

struct DeviceIcv {
  std::atomic<int32_t> num_teams;           // 0: the implementation's choice
  std::atomic<int32_t> teams_thread_limit;  // 0: the implementation's choice
  std::atomic<uint64_t> blocktime_us;       // kmp_set_blocktime
  std::atomic<size_t> stack_size;           // kmp_set_stacksize; stacks made from then on
};

// Built on the first call, by whichever thread makes it; later calls cost a load and a branch.
const GlobalIcv& global_icv();
DeviceIcv& device_icv();

// ICVs of an initial task; and its `observed` alone.
Icv initial_icv();
bool initially_observed();

}  // namespace tulle::omp
