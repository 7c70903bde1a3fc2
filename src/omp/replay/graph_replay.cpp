// SPDX-License-Identifier: Apache-2.0
// The thread that meets the region calls its tasks in the order of their creation, which no dependence forbids, and
// counts nothing. For idle threads one *helper*, an explicit task, is queued, unless that was in vain the last
// time. It looks how far the first thread comes: tasks that are shorter than what it costs to share them are left
// to it. Otherwise, or at once where that paid (graph_pace.h), it *opens* the graph: it counts what all tasks wait for,
// then what the first thread called meanwhile, and from then on both are *runners*. A runner goes on with a task that the
// last one made ready, and takes another one where there is none. What is ready and has no runner stands in a list, the
// oldest first: the newest lies next to what its maker works on. Who takes from a long list takes a few. Beside it, in the
// queues where idle threads look, is one spare runner, never more: while something is in the list a spare is queued. So
// each task that is ready can begin wherever a thread is idle, and a runner whose task blocks holds up at most the few
// that it took with it.
// Ordering: the first thread stores its position, fence, looks whether a helper wants to open; the helper says so, fence,
// reads the position. Both fences are those of sequentially consistent operations: one is cheap beside a task that is
// worth sharing, and a membarrier by the helper takes longer than several of those (15 to 19 us on a virtual machine)
// while the first thread waits for it. So the first thread begins nothing behind the position that the helper read before
// the graph is open; it has run the task there, or runs it then. Then counters as graph_counters.h says; the list and
// the spare are under the lock.
#include "omp/replay/graph_replay.h"

#include <algorithm>
#include <cstring>

#include "arch/cpu.h"
#include "arch/float_control.h"
#include "base/create.h"
#include "omp/graph/graph_counters.h"
#include "omp/task/sibling.h"
#include "omp/task/task_bare.h"
#include "omp/task/task_count.h"
#include "omp/task/task_ready.h"
#include "omp/task/task_run.h"
#include "omp/task/task_submit.h"
#include "omp/task/task_wait.h"
#include "os/report.h"
#include "sched/durations.h"
#include "sched/event.h"
#include "sched/wait.h"
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
    void* data = take(graph.data_of(task), construct.bytes);
    call_task(self(), construct.function, data, construct.bits);
    give_back(data);
  }

  // A copy of what fits into it; of so many pieces where the number is not 0.
  static constexpr bool fits(size_t bytes) { return bytes <= kInline; }
  template <size_t kPieces>
  void* fill(const char* from, size_t bytes) {
    if constexpr (kPieces != 0)
      memcpy(inline_, from, kPieces * kPiece);
    else
      copy(inline_, from, bytes);
    return inline_;
  }

 private:
  static constexpr size_t kPiece = ClosedGraph::kLeastAlignment, kInline = 512;

  void* take(const char* from, size_t bytes) {
    char* to = inline_;
    if (TULLE_UNLIKELY(!fits(bytes))) {
      size_t room = (bytes + ClosedGraph::kAlignment - 1) & ~(ClosedGraph::kAlignment - 1);
      to = static_cast<char*>(aligned_alloc(ClosedGraph::kAlignment, room));
      if (to == nullptr) os::fatal("no memory for the data of a task");
    }
    copy(to, from, bytes);
    return to;
  }
  // By pieces of one size, which lie in both places to their end.
  static void copy(char* to, const char* from, size_t bytes) {
    for (size_t at = 0; at < bytes; at += kPiece) memcpy(to + at, from + at, kPiece);
  }
  void give_back(void* data) {
    if (TULLE_UNLIKELY(data != inline_)) free(data);
  }

  alignas(ClosedGraph::kAlignment) char inline_[kInline];
};

// One that may need a record. Not inlined: the copy's memory is needed for no other task.
TULLE_NOINLINE TULLE_MAY_SUSPEND void call_recorded(const ClosedGraph& graph, uint32_t task) {
  Captured captured;
  captured.call(graph, task);
}

class Replay {
 public:
  Replay(const ClosedGraph& graph, Thread* thread)
      : graph_(graph), owner_(thread->task()), threads_(thread->team->nthreads) {}
  ~Replay() {
    free(next_);
    if (counters_ != nullptr) destroy(counters_);
  }

  // By the thread that meets the region. `helped`: others could run tasks.
  TULLE_MAY_SUSPEND void run_first(bool helped);
  // All tasks are complete.
  void note_end() const;
  TULLE_MAY_SUSPEND void run_as_helper();
  TULLE_MAY_SUSPEND void run_as_spare();

 private:
  // What one runner has taken: tasks of the list, and those without inputs in [at, end), among others.
  struct Share {
    uint32_t kept = kNone;
    uint32_t at = 0, end = 0;
  };
  // Some that became ready, by next_.
  struct Row {
    uint32_t first = kNone, last = kNone, tasks = 0;
  };

  template <bool kHelped>
  TULLE_MAY_SUSPEND bool call_in_order(uint32_t task, uint32_t end);
  template <bool kHelped>
  TULLE_MAY_SUSPEND uint32_t call_bodies(const Task* parent, uint32_t task, uint32_t end);
  template <bool kHelped, size_t kPieces>
  TULLE_NOINLINE TULLE_MAY_SUSPEND uint32_t call_bodies_with(const Task* parent, uint32_t task, uint32_t end);
  TULLE_MAY_SUSPEND uint32_t call_alone();
  TULLE_MAY_SUSPEND void queue_helper(Thread* thread);
  bool may_go_on(uint32_t task);
  bool pause_for(uint64_t cycles) const;
  bool worth_sharing();
  bool open();
  TULLE_MAY_SUSPEND void run(Captured& captured, uint32_t task);
  void catch_up(uint32_t* complete, uint32_t end);
  uint32_t take(Share& share);
  uint32_t finished(uint32_t task);
  void keep(const Row& row);
  void take_kept_locked(Share& share);
  bool wants_spare_locked();
  void queue_spare();

  const ClosedGraph& graph_;
  const Task* owner_;
  uint32_t threads_;
  bool at_once_ = false;  // the graph is opened as soon as a helper comes
  uint64_t since_ = 0;    // the first thread's
  // W: the first thread; R: the helper. Tasks below are complete, and this one runs or comes next.
  TULLE_PAIR_ALIGNED std::atomic<uint32_t> position_{0};
  std::atomic<bool> begun_{false};  // the same; before, it may be waking the helper: a hint
  // W: the helper; R: the first thread.
  TULLE_PAIR_ALIGNED std::atomic<bool> wants_to_open_{false};
  // W: the first thread, once; R: the helper, which has the line to itself before. A hint: position_ says it too.
  TULLE_PAIR_ALIGNED std::atomic<bool> all_called_{false};
  sched::Event opened_;

  // From the opening on.
  uint32_t opened_at_ = 0;
  GraphCounters* counters_ = nullptr;
  uint32_t* next_ = nullptr;  // of the list, by task; kNone before: it has inputs
  TULLE_CACHE_ALIGNED sync::Spinlock lock_;
  Row kept_;                // under lock_: the list
  uint32_t looked_at_ = 0;  // under lock_: tasks from here on were not looked at for inputs
  bool spare_ = false;      // under lock_: queued and not begun
};

// Cycles: a task that is never worth sharing; and after how many of them the clock is looked at, at first and at most.
constexpr uint64_t kShort = GraphPace::kShort;
constexpr uint32_t kBetweenLooks = 16, kMostBetweenLooks = 32;

constexpr uint32_t kRoot = kNone - 1;  // next_ of one that waits for nothing

template <void (Replay::*run)()>
void run_task(void* data) {
  become_tied(self());
  ((*static_cast<Replay**>(data))->*run)();
}

// Where the tasks before it are complete, it goes on with this one. False: somebody opens the graph.
inline bool Replay::may_go_on(uint32_t task) {
  position_.store(task, std::memory_order_seq_cst);  // pairs with open(); what tasks did is seen by whoever reads it
  return TULLE_LIKELY(!wants_to_open_.load(std::memory_order_seq_cst));
}

// Bodies one after another that the parent has begun, without records. Returns the first task that was not called: it
// needs a record, or nothing of it is called, or others have a say. Little is alive over a call, for registers' sake.
template <bool kHelped, size_t kPieces>
uint32_t Replay::call_bodies_with(const Task* parent, uint32_t task, uint32_t end) {
  const char* const captures = graph_.captures.data();
  const uint32_t* const data_at = graph_.data_at.data();
  Captured captured;
  arch::KeepShortFloatControl keep;
  TaskFunction function = nullptr;
  size_t bytes = 0;
  if (task == end) return task;
  for (uint32_t at = data_at[task] | ClosedGraph::kDiffers; !kHelped || may_go_on(task); at = data_at[task]) {
    if ((at & ClosedGraph::kDiffers) != 0) {
      const GraphConstruct& construct = graph_.construct_of(task);
      if (TULLE_UNLIKELY(!Captured::fits(construct.bytes) || !can_be_bare(parent, construct.bits))) break;
      if (TULLE_UNLIKELY((function = construct.function) == nullptr)) break;
      bytes = construct.bytes;
      at &= ~ClosedGraph::kDiffers;
    }
    function(captured.fill<kPieces>(captures + at, bytes));
    drop_record(self(), parent);
    keep.restore();
    if (++task == end) break;
  }
  return task;
}

// Data of few pieces are copied without a loop: all tasks', as many as the largest ones have.
template <bool kHelped>
uint32_t Replay::call_bodies(const Task* parent, uint32_t task, uint32_t end) {
  static_assert(ClosedGraph::kFewPieces == 4);
  if constexpr (!kHelped) {
    if (graph_.pieces <= 1) return call_bodies_with<false, 1>(parent, task, end);
    if (graph_.pieces <= 3) return call_bodies_with<false, 3>(parent, task, end);
    if (graph_.pieces == 4) return call_bodies_with<false, 4>(parent, task, end);
  }
  return call_bodies_with<kHelped, 0>(parent, task, end);
}

// Tasks from this one on, all before it being complete. False: from position_ on others have a say.
template <bool kHelped>
bool Replay::call_in_order(uint32_t task, uint32_t end) {
  begun_.store(true, std::memory_order_relaxed);
  Task* parent = begin_bare(self());
  while ((task = call_bodies<kHelped>(parent, task, end)) != end && (!kHelped || may_go_on(task))) {
    end_bare(self(), parent);
    call_recorded(graph_, task++);
    parent = begin_bare(self());
  }
  end_bare(self(), parent);
  return task == end && (!kHelped || may_go_on(end));
}

// Where tasks were short the last time nobody is asked to help, as long as they are: returns how many were called.
uint32_t Replay::call_alone() {
  uint32_t task = 0, tasks = graph_.tasks(), stride = kBetweenLooks;
  uint64_t since = arch::cycles();
  while (task < tasks && graph_.pace.is_short()) {
    uint32_t end = std::min(task + stride, tasks);
    call_in_order<false>(task, end);
    const uint64_t now = arch::cycles();
    if (now - since > (end - task) * kShort) graph_.pace.set_short(false);
    task = end;
    stride = kMostBetweenLooks;
    since = now;
  }
  return task;
}

void Replay::queue_helper(Thread* thread) {
  Task* task = new_task(thread, run_task<&Replay::run_as_helper>, sizeof(Replay*), alignof(Replay*), kTaskUntied);
  *static_cast<Replay**>(task->data) = this;
  defer_task(thread, task);
}

void Replay::run_first(bool helped) {
  const uint32_t tasks = graph_.tasks();
  if (!helped) {
    call_in_order<false>(0, tasks);
    return;
  }
  const uint32_t first = call_alone();
  if (first == tasks) return;
  position_.store(first, std::memory_order_relaxed);  // published with the helper
  at_once_ = graph_.pace.share_at_once();             // the same
  since_ = arch::cycles();
  queue_helper(self());
  const bool all = call_in_order<true>(first, tasks);
  const uint64_t cycles = arch::cycles() - since_;
  if (all) {
    all_called_.store(true, std::memory_order_relaxed);
    graph_.pace.set_short(cycles < (tasks - first) * kShort);
    graph_.pace.note_alone(tasks - first, cycles);
    return;
  }
  sched::wait(opened_, [this] { return opened_.happened(); });
  if (!at_once_) graph_.pace.note_alone(opened_at_ - first, cycles);
  bool has_run = opened_at_ != position_.load(std::memory_order_relaxed);  // W: this thread
  Captured captured;
  if (opened_at_ != tasks) run(captured, has_run ? finished(opened_at_) : opened_at_);
  run_as_spare();
}

void Replay::note_end() const {
  if (at_once_ && counters_ != nullptr) graph_.pace.note_shared(graph_.tasks(), arch::cycles() - since_);
}

// False: all has been called meanwhile.
bool Replay::pause_for(uint64_t cycles) const {
  bool over = false;
  for (uint64_t since = arch::cycles(); !over && arch::cycles() - since < cycles; arch::pause())
    over = all_called_.load(std::memory_order_relaxed);
  return !over;
}

// Whether the first thread's tasks are longer than what it costs to share them, or one of them is.
bool Replay::worth_sharing() {
  constexpr uint64_t kLong = 1500;  // cycles: a task that is worth it
  uint64_t rest = sched::durations::kFirstReplayRest;
  const uint64_t since = arch::cycles();
  while (!begun_.load(std::memory_order_relaxed) && arch::cycles() - since < sched::durations::kReplayWaking)
    if (!pause_for(kLong / 4)) return false;
  do {
    uint32_t begin = position_.load(std::memory_order_acquire);
    if (begin == graph_.tasks() || !pause_for(kLong)) return false;
    if (position_.load(std::memory_order_acquire) == begin) return true;
    if (!pause_for(rest)) return false;
    rest = std::min(2 * rest, sched::durations::kLongestReplayRest);
  } while (true);
}

void Replay::run_as_helper() {
  if ((at_once_ || worth_sharing()) && open()) run_as_spare();
}

// Tasks below `end` are complete, as nobody was told so far.
void Replay::catch_up(uint32_t* complete, uint32_t end) {
  for (; *complete < end; ++*complete)
    counters_->complete_unseen(*complete, [this](uint32_t ready) { next_[ready] = kRoot; });
}

// The first thread goes on meanwhile, as long as can be. False: it has called all.
bool Replay::open() {
  const uint32_t tasks = graph_.tasks();
  counters_ = create<GraphCounters>(graph_.graph);
  next_ = static_cast<uint32_t*>(malloc((tasks + 1) * sizeof(uint32_t)));
  if (counters_ == nullptr || !counters_->usable() || next_ == nullptr)
    os::fatal("no memory for the replay of a task graph");
  std::fill_n(next_, tasks, kNone);
  counters_->create_all([this](uint32_t task) { next_[task] = kRoot; });
  constexpr uint32_t kFew = 16;
  uint32_t complete = 0, position;
  while ((position = position_.load(std::memory_order_acquire)) > complete + kFew) catch_up(&complete, position);
  if (position == tasks) return false;
  wants_to_open_.store(true, std::memory_order_seq_cst);  // pairs with may_go_on()
  opened_at_ = position_.load(std::memory_order_seq_cst);
  catch_up(&complete, opened_at_);
  looked_at_ = std::min(opened_at_ + 1, tasks);
  opened_.signal();
  return true;
}

void Replay::queue_spare() {
  Thread* thread = self();
  auto make = thread->task() == owner_ ? new_task : new_sibling_task;
  Task* task = make(thread, run_task<&Replay::run_as_spare>, sizeof(Replay*), alignof(Replay*), kTaskUntied);
  *static_cast<Replay**>(task->data) = this;
  count_created(thread, queue_for(thread));
  make_task_ready(thread, task);
}

// True once for each time that there is something in the list and no spare.
bool Replay::wants_spare_locked() {
  if (spare_ || (kept_.first == kNone && looked_at_ == graph_.tasks())) return false;
  return spare_ = true;
}

void Replay::keep(const Row& row) {
  bool spare;
  {
    sync::Guard guard(lock_);
    (kept_.first == kNone ? kept_.first : next_[kept_.last]) = row.first;
    kept_.last = row.last;
    kept_.tasks += row.tasks;
    spare = wants_spare_locked();
  }
  if (spare) queue_spare();
}

// Some of the list, more of a long one.
void Replay::take_kept_locked(Share& share) {
  constexpr uint32_t kMost = 4;
  const uint32_t taken = std::clamp(kept_.tasks / (2 * threads_), 1u, kMost);
  uint32_t last = share.kept = kept_.first;
  for (uint32_t i = 1; i < taken; ++i) last = next_[last];
  kept_.first = next_[last];
  kept_.tasks -= taken;
  next_[last] = kNone;
}

uint32_t Replay::take(Share& share) {
  if (const uint32_t task = share.kept; task != kNone) {
    share.kept = next_[task];
    return task;
  }
  while (share.at != share.end)
    if (next_[share.at++] == kRoot) return share.at - 1;
  bool spare;
  {
    sync::Guard guard(lock_);
    if (kept_.first != kNone) {
      take_kept_locked(share);
    } else if (uint32_t left = graph_.tasks() - looked_at_; left != 0) {
      // Many at first, one at a time at the end: one that blocks holds few others.
      share.at = looked_at_;
      share.end = looked_at_ += std::max(left / (16 * threads_), 1u);
    }
    spare = wants_spare_locked();
  }
  if (spare) queue_spare();
  return share.kept == kNone && share.at == share.end ? kNone : take(share);
}

// The oldest of those that the task made ready, kNone if there is none: where tasks are made in the order of their data
// it goes on nearby.
uint32_t Replay::finished(uint32_t task) {
  uint32_t mine = kNone;
  Row others;
  if (TULLE_UNLIKELY(ult::race_detector))
    graph_.graph.for_each_output(task, [&](uint32_t output) { ult::happens_before(&next_[output]); });
  counters_->complete(task, [&](uint32_t ready) {
    if (mine != kNone) {
      next_[mine] = others.first;
      if (others.first == kNone) others.last = mine;
      others.first = mine;
      ++others.tasks;
    }
    mine = ready;
  });
  if (others.first != kNone) keep(others);
  return mine;
}

// The task and what it makes ready.
void Replay::run(Captured& captured, uint32_t task) {
  while (task != kNone) {
    ult::happens_after(&next_[task]);
    captured.call(graph_, task);
    task = finished(task);
  }
}

void Replay::run_as_spare() {
  {
    sync::Guard guard(lock_);
    spare_ = false;
  }
  Captured captured;
  Share share;
  for (uint32_t task = take(share); task != kNone; task = take(share)) run(captured, task);
}

}  // namespace

void replay(Thread* thread, const ClosedGraph& graph) {
  TaskGroup group;  // tasks may leave tasks of their own behind
  group.hidden = true;
  taskgroup_begin(thread, &group);
  Replay replay(graph, thread);
  replay.run_first(!calls_all(thread) && !runs_at_once(thread));
  taskgroup_end(self());
  replay.note_end();
}

}  // namespace tulle::omp
