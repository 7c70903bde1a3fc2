// SPDX-License-Identifier: Apache-2.0
// Nobody else could run them: the tasks are called in the order of their creation. Otherwise a few *runners*,
// explicit tasks of the team, call them as undeferred tasks of their own: a runner goes on with a task that the
// last one made ready, and takes another one where there is none. What is ready and has no runner stands in a
// list, and beside it, in the queues where idle threads look, one *spare* runner, never more: while something is
// in the list a spare is queued. So each task that is ready can begin wherever a thread is idle, and a runner
// whose task blocks holds up at most the few that it took with it.
// Ordering: counters as graph_counters.h says; the list and the spare are under the lock.
#include "omp/replay/graph_replay.h"

#include <algorithm>
#include <cstring>

#include "omp/graph/graph_counters.h"
#include "omp/task/sibling.h"
#include "omp/task/task_bare.h"
#include "omp/task/task_internal.h"
#include "os/report.h"
#include "sync/spinlock.h"
#include "ult/sanitizer.h"

namespace tulle::omp {

namespace {

constexpr uint32_t kNone = TaskGraph::kNone;

// A copy of what a task was given, which its body may change.
class Captured {
 public:
  TULLE_MAY_SUSPEND void call(const ClosedGraph& graph, uint32_t task) {
    const GraphConstruct& construct = graph.construct_of(task);
    if (construct.function == nullptr) return;
    if (TULLE_LIKELY(construct.bytes <= sizeof inline_)) {
      memcpy(inline_, graph.data_of(task), construct.bytes);
      call_task(self(), construct.function, inline_, construct.bits);
      return;
    }
    void* copy = aligned_alloc(ClosedGraph::kAlignment, round_up(construct.bytes));
    if (copy == nullptr) os::fatal("no memory for the data of a task");
    memcpy(copy, graph.data_of(task), construct.bytes);
    call_task(self(), construct.function, copy, construct.bits);
    free(copy);
  }

 private:
  static size_t round_up(size_t bytes) {
    return (bytes + ClosedGraph::kAlignment - 1) & ~(ClosedGraph::kAlignment - 1);
  }

  alignas(ClosedGraph::kAlignment) char inline_[512];
};

class Replay {
 public:
  Replay(const ClosedGraph& graph, uint32_t threads)
      : graph_(graph),
        threads_(threads),
        counters_(graph.graph),
        next_(static_cast<uint32_t*>(malloc((graph.tasks() + 1) * sizeof(uint32_t)))) {
    if (!counters_.usable() || next_ == nullptr) os::fatal("no memory for the replay of a task graph");
    counters_.create_all();
  }
  ~Replay() { free(next_); }

  TULLE_MAY_SUSPEND void run_as_spare();
  // Queues the first spare, as a child of the current task.
  void begin(Thread* thread);

 private:
  // Tasks without inputs that one runner has taken: [at, end), among others.
  struct Share {
    uint32_t at = 0, end = 0;
  };

  uint32_t take(Share& share);
  uint32_t finished(uint32_t task);
  void keep(uint32_t task);
  bool wants_spare_locked();
  void queue_spare();
  bool is_root(uint32_t task) const { return graph_.graph.inputs(task) == 0; }

  const ClosedGraph& graph_;
  uint32_t threads_;
  GraphCounters counters_;
  uint32_t* next_;  // of the list, by task

  TULLE_CACHE_ALIGNED sync::Spinlock lock_;
  uint32_t first_ = kNone;  // under lock_: the list of those that became ready
  uint32_t looked_at_ = 0;  // under lock_: tasks from here on were not looked at for inputs
  bool spare_ = true;       // under lock_: queued and not begun
};

void run_spare(void* data) {
  become_tied(self());
  (*static_cast<Replay**>(data))->run_as_spare();
}

// Untied until it begins: a thread one of whose runners waits can begin another.
void Replay::begin(Thread* thread) {
  Task* task = new_task(thread, run_spare, sizeof(Replay*), alignof(Replay*), kTaskUntied);
  *static_cast<Replay**>(task->data) = this;
  defer_task(thread, task);
}

void Replay::queue_spare() {
  Thread* thread = self();
  Task* task = new_sibling_task(thread, run_spare, sizeof(Replay*), alignof(Replay*), kTaskUntied);
  *static_cast<Replay**>(task->data) = this;
  count_created(thread, queue_for(thread));
  make_task_ready(thread, task);
}

// True once for each time that there is something in the list and no spare.
bool Replay::wants_spare_locked() {
  if (spare_ || (first_ == kNone && looked_at_ == graph_.tasks())) return false;
  return spare_ = true;
}

void Replay::keep(uint32_t task) {
  bool spare;
  {
    sync::Guard guard(lock_);
    next_[task] = first_;
    first_ = task;
    spare = wants_spare_locked();
  }
  if (spare) queue_spare();
}

uint32_t Replay::take(Share& share) {
  while (share.at != share.end)
    if (is_root(share.at++)) return share.at - 1;
  bool spare;
  uint32_t task = kNone;
  {
    sync::Guard guard(lock_);
    if (first_ != kNone) {
      task = first_;
      first_ = next_[task];
    } else if (uint32_t left = graph_.tasks() - looked_at_; left != 0) {
      // Many at first, one at a time at the end: one that blocks holds few others.
      share.at = looked_at_;
      share.end = looked_at_ += std::max(left / (16 * threads_), 1u);
    }
    spare = wants_spare_locked();
  }
  if (spare) queue_spare();
  return task != kNone || share.at == share.end ? task : take(share);
}

// One of those that the task made ready, kNone if there is none.
uint32_t Replay::finished(uint32_t task) {
  uint32_t mine = kNone;
  if (TULLE_UNLIKELY(ult::race_detector))
    graph_.graph.for_each_output(task, [&](uint32_t output) { ult::happens_before(&next_[output]); });
  counters_.complete(task, [&](uint32_t ready) {
    if (mine == kNone)
      mine = ready;
    else
      keep(ready);
  });
  return mine;
}

void Replay::run_as_spare() {
  {
    sync::Guard guard(lock_);
    spare_ = false;
  }
  Captured captured;
  Share share;
  for (uint32_t task = take(share); task != kNone; task = take(share))
    while (task != kNone) {
      ult::happens_after(&next_[task]);
      captured.call(graph_, task);
      task = finished(task);
    }
}

TULLE_MAY_SUSPEND void call_in_order(const ClosedGraph& graph) {
  Captured captured;
  for (uint32_t i = 0; i < graph.tasks(); ++i) captured.call(graph, i);
  taskgroup_end(self());
}

TULLE_MAY_SUSPEND void run_by_all(Thread* thread, const ClosedGraph& graph) {
  Replay replay(graph, thread->team->nthreads);
  replay.begin(thread);
  taskgroup_end(self());
}

}  // namespace

void replay(Thread* thread, const ClosedGraph& graph) {
  TaskGroup group;  // tasks may leave tasks of their own behind
  group.hidden = true;
  taskgroup_begin(thread, &group);
  if (calls_all(thread) || runs_at_once(thread))
    call_in_order(graph);
  else
    run_by_all(thread, graph);
}

}  // namespace tulle::omp
