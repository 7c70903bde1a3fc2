// SPDX-License-Identifier: Apache-2.0
// Running tasks from a worker's loop, in the name of a thread of the team that waits (at a barrier,
// at the join, in a taskwait) or whose member has ended. The worker holds the thread like any other
// entity (its scheduled bit), and only while it has a task in hand: an unfinished task keeps the
// region from ending, so the thread cannot begin another one meanwhile.
#include "omp/task/task_serve.h"

#include <algorithm>

#include "arch/cpu.h"
#include "base/look.h"
#include "base/probe.h"
#include "memory/stack_pool.h"
#include "omp/task/announced_team.h"
#include "omp/task/task_choice.h"
#include "omp/task/task_count.h"
#include "omp/task/task_end.h"
#include "omp/task/task_run.h"
#include "omp/thread/team.h"
#include "os/fence.h"
#include "sched/durations.h"
#include "sched/enter.h"
#include "sched/loop.h"
#include "sched/poller.h"

namespace tulle::omp {

namespace {

// The TLS block under which `w`, which can carry it, runs something in the name of `thread`.
uintptr_t tls_for(sched::Worker* w, const Thread* thread) {
  return thread->tls == 0 || !thread->team->thread_locals ? w->own_tls : thread->tls;
}

// Whether `w` may run something in the name of `thread`; null: any worker of the pool or spare. The name of a
// foreign OS thread is for that alone, unless it is kept by what it runs in another one's name: a spare may then
// have its block, and where it is in a blocking section any of these. A late look at a thread that another team
// has by now is harmless: whoever holds it looks again.
bool can_carry(const Team* team, const sched::Worker* w, const Thread* thread) {
  uintptr_t tls = look(thread->tls);
  if (tls == 0 || !look(team->thread_locals) || !look(thread->native_tls)) return true;
  if (w != nullptr && w->native_tls == tls) return true;
  const sched::Worker* home = team->holder.load(std::memory_order_relaxed);  // a hint
  if (home == nullptr || home->native_tls != tls) return false;
  // It says that it is away before it looks for others to go on in its name (sched/blocking.h).
  if (sched::is_away(home)) return w == nullptr || w->kind != sched::WorkerKind::foreign;
  return (w == nullptr || w->kind == sched::WorkerKind::spare) && sched::is_kept(home);
}

// Tasks are all of one phase between two barriers: a thread that waits at a barrier which is over is about to
// go on, and maybe to make what they wait for. After a cancellation threads' counts differ.
bool in_phase(const Team* team, const Thread* member) {
  return team->tasks.used(look(member->next_barrier)) ||
         team->cancelled.load(std::memory_order_relaxed) != 0;  // relaxed: a hint
}

// A thread that holds no task may look while the team begins another region: it holds one when it looks again,
// before the name is taken, and so the region lasts.
bool may_lend(const Team* team, const Thread* member) {
  return member->active_generation.load(std::memory_order_acquire) == look(team->generation) &&
         member->mailbox.load(std::memory_order_acquire) == 0 &&  // acquire: its phase is seen
         in_phase(team, member);
}

// A thief that took a task which was not worth it leaves the others' tasks alone for a while, longer each time
// that it happens again: the maker, who is kept from its work by every theft, runs such tasks faster itself.
// Cycles: a tree's part whose maker will have to wait for it; a task of a maker that is none itself.
constexpr uint64_t kWorthStealing = 600, kWorthStealingFlat = 400;

void rest_after(sched::Worker* w, const Task* task, uint64_t now, uint64_t length) {
  if (length >= (task->depth == 1 ? kWorthStealingFlat : kWorthStealing)) {
    w->rest = 0;
    return;
  }
  uint32_t generation = task->team->generation;
  w->rest = std::clamp(w->rests_in == generation ? 2 * w->rest : 0, sched::durations::kShortestRest,
                       sched::durations::kLongestRest);
  w->rests_until = now + w->rest;
  w->rests_in = generation;
}

// A worker that is about to sleep looks everywhere; and makers and threads that yield wait for one that finds nothing.
bool rests(const Team* team, const sched::Worker* w) {
  return w != nullptr && w->rest != 0 && w->rests_in == look(team->generation) &&
         w->asleep.load(std::memory_order_relaxed) == 0 &&  // W: itself
         team->tasks.makers.empty() && team->tasks.yielders.empty() && arch::cycles() < w->rests_until;
}

// One that is about to sleep looks at all that is there.
bool finds_something(const Team* team, const sched::Worker* w) {
  if (w == nullptr || w->asleep.load(std::memory_order_relaxed) != 0) return team->tasks.something_in_queues();
  return team->tasks.something_to_steal(team->tasks.known_queue_of(w));
}

bool stacks_are_short() {
  return TULLE_UNLIKELY(memory::stack_limit_reached()) &&
         memory::stacks_are_short(sched::durations::kBetweenStacksBeyond);
}

// Each task that a worker begins may take the stack that its loop runs on. What stands in the list of the team has a
// stack already, or is urgent.
Task* take_task(Team* team, TaskQueue* queue, const Task* constraint) {
  auto allowed = [=](const Task* task) { return may_run(task, constraint); };
  auto newest = [=]() -> Task* {
    Task* task = queue->deque.peek_owner();
    return task != nullptr && allowed(task) ? queue->deque.pop_owner() : nullptr;
  };
  if (Task* task = team->tasks.take_shared(queue, constraint)) return task;
  if (stacks_are_short()) return nullptr;
  if (Task* task = newest()) return task;
  if (rests(team, queue->owner)) return nullptr;
  if (Task* task = team->tasks.steal(queue, allowed)) {
    TULLE_PROBE_2(task_steal, task, task->function);
    return task;
  }
  if (team->tasks.adopt(queue)) return newest();
  return team->tasks.take_shared_far(queue, constraint);
}

// An untied task begins on a loop's stack; and the next one that works on the same data may come here.
void note_begin(Team* team, TaskQueue* queue, Task* task) {
  if ((task->bits & kTaskUntied) != 0) make_movable(task);
  if ((task->bits & kTaskAffine) != 0) team->tasks.note_near(task->affinity, queue);
}

// Without a name in which they may begin, tasks at the ends of the queues hide others that could:
// they go to the shared list, which is searched as a whole.
void uncover(Team* team, TaskQueue* queue) {
  auto any = [](const Task*) { return true; };
  Task* task = queue->deque.pop_owner();
  if (task == nullptr) task = team->tasks.steal(queue, any);
  if (task != nullptr) team->tasks.push_shared(task, queue);
}

// No name was free for it. Many that find none would meet at the list's lock.
void put_back(Team* team, TaskQueue* queue, Task* task) {
  const bool plain = task->ult == nullptr && task->priority == 0;
  if (plain && queue->cluster.load(std::memory_order_relaxed) != nullptr && queue->deque.push_owner(task)) return;
  team->tasks.push_shared(task, queue);
}

// Members to look at, maybe while the team is made to fit another region: a table that holds as many was
// written before the count (acquire; pairs with fit_team and make_room). A stale count misses members of
// a region that began meanwhile: a worker looks again before it sleeps.
uint32_t late_count(const Team* team) { return __atomic_load_n(&team->nthreads, __ATOMIC_ACQUIRE); }
Thread* late_member(const Team* team, uint32_t number) {
  return look(__atomic_load_n(&team->members, __ATOMIC_ACQUIRE)[number]);
}

// Takes the time of a task that another worker made, or that is to be timed.
class Stopwatch {
 public:
  Stopwatch(const TaskQueue* mine, const Task* task)
      : stolen_(task->home != mine),
        begin_(stolen_ || (task->bits & kTaskTimed) != 0 ? arch::cycles() : 0) {}

  // The task, which still has its record, has ended on `w`.
  void stop(sched::Worker* w, const Task* task) const {
    if (begin_ == 0) return;
    uint64_t end = arch::cycles();
    if ((task->bits & kTaskTimed) != 0) note_length(task, end - begin_);
    if (stolen_) rest_after(w, task, end, end - begin_);
  }

 private:
  bool stolen_;
  uint64_t begin_;
};

// A waiting thread of the team, held by the caller, and a task that may begin in its name.
struct Assignment {
  Thread* thread = nullptr;
  Task* task = nullptr;
};

Assignment assign(Team* team, sched::Worker* w, TaskQueue* queue) {
  bool constrained = false;
  Task* task = nullptr;
  uint32_t count = late_count(team);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t number = (queue->last_identity + i) % count;
    Thread* member = late_member(team, number);
    if (!may_lend(team, member) || !can_carry(team, w, member)) continue;
    const Task* constraint = constraint_of(member);
    constrained = constrained || constraint != nullptr;
    if (task == nullptr) task = take_task(team, queue, constraint);
    if (task == nullptr) continue;
    // With the task in hand the region lasts: only now the name can be taken, or the next one where others were faster.
    if (may_lend(team, member) && member->try_acquire()) {
      if (can_carry(team, w, member) && may_run(task, constraint_of(member))) {
        queue->last_identity = number;
        return {member, task};
      }
      sched::release(member);
    }
  }
  if (task != nullptr)
    put_back(team, queue, task);
  else if (constrained && !rests(team, w) && !stacks_are_short())
    uncover(team, queue);
  return {};
}

// A frame that suspends in a foreign thread's own block goes on at its OS thread, also if it began elsewhere.
sched::Footing footing_for(sched::Worker* w, const Thread* thread) {
  uintptr_t tls = tls_for(w, thread);
  if (tls != thread->tls || !thread->native_tls) return {tls, nullptr};
  return {tls, w->native_tls == tls ? w : thread->team->holder.load(std::memory_order_relaxed)};
}

// What is under way outside moves on only when it is asked for, and tasks may follow each other for long. Who
// waited for it goes on first: others outside may wait for what it does then.
bool something_came(sched::Worker* w) {
  bool here = sched::ask_pollers_after(sched::durations::kBetweenEntities);
  return here || w->queue.has_entities();
}

void let_go(sched::Worker* w, Thread* thread) {
  ult::happens_before(thread);
  sched::leave(w);
  sched::release(thread);
}

}  // namespace

constinit const NoAncestor no_ancestor;

const Task* constraint_slow(const Thread* thread, const Task* innermost) {
  // A caller that does not hold the thread may find records that were reused, and the end of their list.
  const Task* tied = innermost;
  auto bare = [&tied] { return tied->bare.load(std::memory_order_relaxed); };
  auto aside = [&bare] {
    return bare() == Task::kOutside || (bare() == Task::kAtLock && sched::something_awaited());
  };
  while (tied != nullptr && ((look(tied->bits) & kTaskUntied) != 0 || aside()))
    tied = static_cast<const Task*>(look(tied->below));
  if (tied == nullptr) return nullptr;
  if (bare() != 0) return &no_ancestor;
  return tied == &thread->implicit ? nullptr : tied;
}

bool can_serve_tasks(Team* team, const sched::Worker* w) {
  // serve_tasks() wakes them.
  if (!team->tasks.makers.empty() || !team->tasks.yielders.empty()) return true;
  bool resting = rests(team, w);
  bool queued = !resting && finds_something(team, w) && (w == nullptr || !stacks_are_short());
  if (!queued && !team->tasks.something_shared()) return false;
  uint32_t count = late_count(team);
  for (uint32_t i = 0; i < count; ++i) {
    Thread* member = late_member(team, i);
    if (!may_lend(team, member) || !can_carry(team, w, member)) continue;
    const Task* constraint = constraint_of(member);
    if (queued || constraint == nullptr) return true;
    if (team->tasks.can_take_shared(constraint)) return true;
  }
  return false;
}

sched::Worker* serve_tasks(Team* team, sched::Worker* w) {
  TaskQueue* queue = team->tasks.own_queue_of(w);
  if (queue == nullptr) return nullptr;
  auto [thread, task] = assign(team, w, queue);
  if (thread == nullptr) {
    wake_makers(team);
    wake_yielders(team);
    return nullptr;
  }
  ult::happens_after(thread);  // what ran in its name before
  sched::enter(w, thread, thread->frame, footing_for(w, thread));
  EndedSiblings ended;
  for (;;) {
    if (sched::Ult* ult = task->ult) {
      // Goes on where it was; that stack's own frames release the thread and count the task.
      set_looked_at(task->ult, static_cast<sched::Ult*>(nullptr));
      sched::resume_as(w, thread, ult, footing_for(w, thread));
      return w;
    }
    if ((task->bits & (kTaskUntied | kTaskAffine)) != 0) note_begin(team, queue, task);
    Stopwatch watch(queue, task);
    run_body(thread, task);
    // The stack may be elsewhere now, and an untied task may have ended in another name.
    thread = self();
    w = thread->worker;
    watch.stop(w, task);
    queue = queue_for(thread);
    // Once the body's hold is gone, somebody else may complete the task, and with the last one the
    // region ends: not before the name is given back, if one more counts until then.
    uint32_t counted_here = (task->bits & kTaskDetachable) != 0 ? 1 : 0;
    if (counted_here != 0) count_created(thread, queue);
    if (body_ended(task)) {
      ended.end(thread, task);
      ++counted_here;
    }
    if (queue->deque.peek_owner() == nullptr && ended.awaited()) ended.tell(thread);
    bool came = TULLE_UNLIKELY(sched::something_awaited()) && something_came(w);
    bool others_first = came || thread->has_ready() || !team->tasks.yielders.empty() || sched::is_overdue(w);
    Task* next = others_first ? nullptr : take_task(team, queue, constraint_of(thread));
    ended.go_on(thread, next);
    if (next == nullptr) let_go(w, thread);
    for (; counted_here != 0; --counted_here) add_finished(queue, team);
    if (next == nullptr) {
      wake_makers(team);
      wake_yielders(team);
      check_completion(team);
      return w;
    }
    sched::count_step(w);
    task = next;
  }
}

}  // namespace tulle::omp
