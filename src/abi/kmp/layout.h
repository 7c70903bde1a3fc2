// SPDX-License-Identifier: Apache-2.0
//
// Binary layouts that Clang, Flang and Intel's compilers fix in the code that they emit. Observed in
// the LLVM IR of clang 22.1 and flang 22.1 for x86-64 and in the exports of libomp 19. Nothing here
// is ours to change. Objects of these types belong to the compiled program unless a comment says
// otherwise.
#pragma once

#include <cstddef>
#include <cstdint>

// Entry points are the only symbols of this layer that the library shows.
#define TULLE_KMP extern "C" __attribute__((visibility("default")))

namespace tulle::kmp {

// Where a call comes from. Static data of the program.
struct Ident {
  int32_t reserved_1;
  uint32_t flags;
  int32_t reserved_2;
  int32_t reserved_3;
  const char* source;  // ";file;function;line;column;;"
};
static_assert(sizeof(Ident) == 24 && offsetof(Ident, source) == 16);

inline constexpr uint32_t kIdentAtomicReduce = 0x10;     // the compiler made an atomic reduction
inline constexpr uint32_t kIdentBarrierExplicit = 0x20;  // an explicit barrier
inline constexpr uint32_t kIdentWorkLoop = 0x200;
inline constexpr uint32_t kIdentWorkSections = 0x400;
inline constexpr uint32_t kIdentWorkDistribute = 0x800;

// Outlined region: microtask(&gtid, &tid, captured...), each captured value one machine word.
using Microtask = void (*)(int32_t*, int32_t*, ...);

// Storage of a named critical section: zero at program start, shared by every unit that uses the
// name (a common symbol).
using CriticalName = int32_t[8];
static_assert(sizeof(CriticalName) == 32);

using TaskEntry = int32_t (*)(int32_t gtid, void* task);

union TaskData {
  int32_t priority;
  TaskEntry destructors;
};

// Head of what __kmpc_omp_task_alloc returns; the private variables follow it.
struct Task {
  void* shareds;
  TaskEntry entry;
  int32_t part;    // untied tasks: where the entry goes on
  TaskData data1;  // destructors of the privates, if kTaskDestructors
  TaskData data2;  // priority, if kTaskPriority
};
static_assert(sizeof(Task) == 40 && offsetof(Task, part) == 16 && offsetof(Task, data2) == 32);

// A task made for taskloop: these stand behind the head, before the privates.
struct LoopTask {
  Task task;
  uint64_t lower;
  uint64_t upper;
  int64_t stride;
  int32_t last;
  void* reductions;
};
static_assert(offsetof(LoopTask, lower) == 40 && offsetof(LoopTask, last) == 64 &&
              offsetof(LoopTask, reductions) == 72);

// Flags of __kmpc_omp_task_alloc.
inline constexpr uint32_t kTaskTied = 0x1;
inline constexpr uint32_t kTaskFinal = 0x2;
inline constexpr uint32_t kTaskMergedIf0 = 0x4;
inline constexpr uint32_t kTaskDestructors = 0x8;
inline constexpr uint32_t kTaskProxy = 0x10;
inline constexpr uint32_t kTaskPriority = 0x20;
inline constexpr uint32_t kTaskDetachable = 0x40;
inline constexpr uint32_t kTaskTarget = uint32_t{1} << 31;  // ours: a target construct's, and there are devices

// One entry of a dependence list.
struct Depend {
  intptr_t address;
  size_t length;
  uint8_t kind;
};
static_assert(sizeof(Depend) == 24 && offsetof(Depend, kind) == 16);

inline constexpr uint8_t kDependIn = 0x1;
inline constexpr uint8_t kDependOut = 0x2;
inline constexpr uint8_t kDependMutexInOutSet = 0x4;
inline constexpr uint8_t kDependInOutSet = 0x8;
inline constexpr uint8_t kDependAllMemory = 0x80;
inline constexpr intptr_t kAllMemory = -1;  // as an address, whatever the kind (libomp)

struct Affinity {
  intptr_t address;
  size_t length;
  uint32_t flags;
};
static_assert(sizeof(Affinity) == 24);

// Item of a task reduction, as __kmpc_task_reduction_init takes it (Clang up to 9, Intel).
struct ReductionItem {
  void* shared;
  size_t size;
  void (*init)(void* priv);
  void (*fini)(void* priv);
  void (*combine)(void* into, void* from);
  uint32_t flags;
};
static_assert(sizeof(ReductionItem) == 48);

// The same for __kmpc_taskred_init (Clang from 10 on): `init` sees the original too.
struct ReductionItemWithOrigin {
  void* shared;
  void* original;
  size_t size;
  void (*init)(void* priv, void* original);
  void (*fini)(void* priv);
  void (*combine)(void* into, void* from);
  uint32_t flags;
};
static_assert(sizeof(ReductionItemWithOrigin) == 56);

inline constexpr uint32_t kReductionLazy = 0x1;  // privates are made when first asked for

// One dimension of a doacross nest; bounds are inclusive.
struct Dimension {
  int64_t lower;
  int64_t upper;
  int64_t stride;
};
static_assert(sizeof(Dimension) == 24);

// One loop of a collapsed nest (__kmpc_for_collapsed_init and the rectangular forms).
struct LoopBounds {
  int32_t type;      // of the bounds: LoopType
  int32_t iv_type;   // of the induction variable
  int32_t compare;   // LoopCompare
  int32_t outer;     // index of the loop that lb1 and ub1 multiply; any lower one if they are 0
  uint64_t lower0;   // lower = lower0 + lower1 * iv[outer]
  uint64_t lower1;
  uint64_t upper0;
  uint64_t upper1;
  int64_t step;
  uint64_t trip_count;
};
static_assert(sizeof(LoopBounds) == 64 && offsetof(LoopBounds, step) == 48);

enum class LoopType : int32_t { u8, i8, u16, i16, u32, i32, u64, i64 };
enum class LoopCompare : int32_t { less_equal, greater_equal, not_equal, less, greater };

// Schedule codes: a kind in the low bits, an ordering bit, modifiers above.
inline constexpr int32_t kScheduleKindMask = 0x1f;
inline constexpr int32_t kScheduleUnordered = 1 << 5;
inline constexpr int32_t kScheduleOrdered = 1 << 6;
inline constexpr int32_t kScheduleMonotonic = 1 << 29;
inline constexpr int32_t kScheduleNonmonotonic = 1 << 30;

enum class ScheduleCode : int32_t {
  static_chunked = 1,
  static_even = 2,
  dynamic_chunked = 3,
  guided_chunked = 4,
  runtime = 5,
  automatic = 6,
  trapezoidal = 7,
  static_greedy = 8,
  static_balanced = 9,
  guided_iterative = 10,
  guided_analytical = 11,
  static_steal = 12,
  static_balanced_chunked = 13,
  guided_simd = 14,
  runtime_simd = 15,
  distribute_chunked = 27,
  distribute_even = 28,
};

inline ScheduleCode schedule_code(int32_t schedule) {
  return static_cast<ScheduleCode>(schedule & kScheduleKindMask);
}

// Of the clause of `error` and of strict `num_threads` (OpenMP 5.2 §8.5.2).
enum class Severity : int32_t { warning = 1, fatal = 2 };

// Constructs that a cancellation names.
enum class CancelKind : int32_t { none = 0, parallel = 1, loop = 2, sections = 3, taskgroup = 4 };

}  // namespace tulle::kmp
