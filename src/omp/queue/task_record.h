// SPDX-License-Identifier: Apache-2.0
// The record of a task: implicit (one in each Thread) or explicit (from a TaskQueue's memory).
// See task.h for what may be done with it.
//
// Children are counted without an atomic operation at their creation: `born` is the task's own
// (children made since it last accounted for them), `balance` starts at kAlive, grows by `born` when
// the task accounts, and shrinks by one with each completion elsewhere; kAlive goes when the task
// itself is complete. Live children = low half of balance - kAlive + born.
// Descendants find their ancestors through their parents' records (the task scheduling constraint,
// control variables), so a record that outlives its task keeps its parent's: the high half of the
// balance counts complete children whose records are still there. The record is free at balance 0.
// A free record has born, bare, balance, node, table, priority, storage, state, loose, on_ready and ult as
// constructed.
// A record's memory never leaves the runtime, so a late look at a freed one's wait list is harmless:
// wake-ups may be spurious anyway.
#pragma once

#include <atomic>
#include <cstdint>

#include "arch/float_control.h"
#include "base/cacheline.h"
#include "omp/icv/icv.h"
#include "sched/event.h"
#include "sched/frame.h"
#include "sched/wait_list.h"

namespace tulle::omp {

struct Team;
struct Thread;
struct Task;
struct TaskQueue;
struct DependenceTable;
struct DependenceNode;

namespace tool {
struct OfTask;
}

// What a record's memory belongs to where there may be tools: the first part of what they keep at a task.
struct TaskStorage {
  void* data = nullptr;
};

using TaskFunction = void (*)(void*);

// A taskgroup region (OpenMP 5.2 §15.4). Lies in the frame of the task that waits at its end.
struct TaskGroup {
  TaskGroup* outer = nullptr;
  // Tasks of the group that are not complete, descendants included, and one for its owner until it
  // waits: whoever comes to zero is the last to touch the group, by signalling `complete`.
  std::atomic<int64_t> unfinished{1};
  std::atomic<bool> cancelled{false};
  sched::Event complete;
  void* reductions = nullptr;  // task_reduction descriptors of an interface layer
  bool hidden = false;  // of a construct with task reductions: the program knows of no group
};

enum TaskBits : uint32_t {
  kTaskExplicit = 1,
  kTaskUntied = 2,
  kTaskFinal = 4,
  kTaskUndeferred = 8,   // its parent waits for it right where it was created
  kTaskDetachable = 16,  // complete only when its event is fulfilled too
  kTaskProxy = 32,       // no body: stands for work elsewhere (target nowait, taskwait nowait)
  kTaskWatched = 1u << 31,  // a race detector is told when it begins and ends
  kTaskMovable = 64,     // runs from a loop's stack, with nothing tied below: any thread may go on
                         // with it, and it has Frame::on_ready
  kTaskRouted = 128,     // where it waits is not just its maker's queue: route_task() decides
  kTaskAffine = 256,     // `affinity` is set
  kTaskOwnsIcv = 4096,   // `icv` is a malloc'ed copy, made when it set one itself
  kTaskCancellable = 512,  // a cancel construct can drop it before it begins
  kTaskFollows = 1024,     // it has dependences
  kTaskTimed = 2048,       // whoever runs it says how long it was
  kTaskObserved = 16384,   // tools are told of it
  kTaskLookedAt = 8192,    // in TaskPolicies::bits alone: a graph is being recorded somewhere
};

struct Task : sched::Frame {
  static constexpr int64_t kAlive = 1 << 30;
  static constexpr int64_t kLingering = int64_t{1} << 32;  // a complete child with a record
  static constexpr uint32_t kOutside = uint32_t{1} << 31;
  static constexpr uint32_t kAtLock = uint32_t{1} << 30;

  // Three cache lines. What execution reads; Frame::depth counts the ancestors up to the implicit task.
  TaskFunction function = nullptr;
  void* data = nullptr;
  Task* parent = nullptr;
  uint32_t bits = 0;
  int32_t priority = 0;

  // Fields that threads which complete its children leave alone. W: whoever runs it, unless noted.
  TULLE_CACHE_ALIGNED int32_t born = 0;
  // Bodies without a record that run on top of it (task_bare.h); or kOutside, while the task waits for
  // something outside of the runtime, or kAtLock, for a lock whose holder may do so (outside.h).
  std::atomic<uint32_t> bare{0};
  const Icv* icv = nullptr;
  TaskGroup* group = nullptr;  // innermost taskgroup, of which it is a member
  Team* team = nullptr;
  DependenceNode* node = nullptr;      // its own dependences, as a child of `parent`
  union {
    DependenceTable* table = nullptr;  // of its children's addresses
    const void* affinity;  // until it begins: data that it works on, where kTaskAffine says so
  };
  TaskQueue* home = nullptr;    // whose memory the record is
  Task* next = nullptr;         // in a list, while no thread has it

  // Fields that others write, or that are seldom used.
  TULLE_CACHE_ALIGNED std::atomic<int64_t> balance{kAlive};  // W: itself, whoever completes a child
  std::atomic<int16_t> holds{0};  // detachable: 1 for the body, 1 for the event; complete at 0
  // Of its creating task, or of the part of it that ended last; of an implicit one: of the encountering thread, where
  // kmp asks.
  arch::ShortFloatControl float_control = 0;
  uint8_t size_class = 0;
  uint8_t stretch = 0;      // of one that is timed: between which two waits of its maker it was made
  uint16_t site = 0;        // where the program makes it (task_sites.h)
  sched::WaitList waiter;       // the task itself, at a taskwait
  union {
    void* storage = nullptr;  // its data if they were malloc'ed; those that follow the record begin here
    tool::OfTask* tool;       // where there may be tools: what they keep, which holds such data then
  };
};
static_assert(sizeof(Task) == 3 * kCacheLine);

}  // namespace tulle::omp
