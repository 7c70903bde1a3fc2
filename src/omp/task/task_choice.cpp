// SPDX-License-Identifier: Apache-2.0
#include "omp/task/task_choice.h"

#include <algorithm>

#include "arch/cpu.h"
#include "omp/task/repeat.h"
#include "omp/task/task_count.h"
#include "omp/task/task_wait.h"
#include "os/clock.h"
#include "sched/durations.h"

namespace tulle::omp {

namespace {

namespace durations = sched::durations;

// Cycles: the least that a maker is taken to need to keep a task, which no measurement is made to check.
constexpr uint32_t kLeastCost = 100;

// Of so many kept tasks one is timed.
constexpr uint32_t kTimedOf = 8;
// Calls between two looks at the clock, at most: one takes 11 ns, an empty task 5.
constexpr uint32_t kLongestStride = 16;
constexpr uint64_t kBetweenLooks = 320;  // nanoseconds: each takes the line from the thief
// Tasks between two attempts in vain.
constexpr uint32_t kDrainEvery = 64;

void set_cost(TaskQueue* queue, bool depends, uint32_t cost) {
  queue->maker.cost[depends ? 1 : 0].store(cost, std::memory_order_relaxed);
}

// The first of those that are called from now on, or the first that was long, is looked at alone.
void begin_stride(MakerCosts& maker, uint64_t time, uint32_t stride) {
  maker.called_since = time;
  maker.stride = maker.until_look = stride;
}

// Tasks of this site were too short so far, and one more is to be called. False: two looks in a row found
// longer ones; the first may be a stranger between, or the maker's own work.
TULLE_NOINLINE bool look_at_calls(TaskQueue* queue, uint16_t site, bool depends) {
  MakerCosts& maker = queue->maker;
  uint64_t time = arch::cycles();
  uint64_t each = (time - maker.called_since) / maker.stride;
  uint32_t cost = cost_of_keeping(queue, depends);
  if (each < cost + kRunningCost) {
    maker.long_looks = 0;
    task_sites.note_short_call(site);
    // The cost of keeping is measured anew now and then: it depends on where the other cores are.
    if (cost > kLeastCost) set_cost(queue, depends, cost - (cost >> 9));
    begin_stride(maker, time, std::min(2 * maker.stride, kLongestStride));
    return true;
  }
  begin_stride(maker, time, 1);
  if (++maker.long_looks < 2) return true;
  maker.long_looks = 0;
  task_sites.note_long(site);
  return false;
}

void measure_keeping(MakerCosts* maker) {
  maker->keeping_since = arch::cycles();
  maker->until_timed = kTimedOf;
}

bool has_space(TaskQueue* queue) {
  if (queue->deque.holds_owner(TaskQueue::kCapacity)) queue->deque.recount_owner();
  return !queue->deque.holds_owner(TaskQueue::kCapacity);
}

bool drained(Thread* thread) {
  const Task* parent = thread->task();
  int32_t seen = 0;
  uint64_t since = 0;
  while (int32_t left = live_children(parent)) {
    uint64_t time = arch::cycles();
    if (left != seen) {
      seen = left;
      since = time;
    }
    if (time - since > durations::kDrainPatience) return false;
    if (run_child(thread, parent))
      thread = self();
    else
      os::pause_for(kBetweenLooks);
  }
  return true;
}

// Lets others go first until the timed task has ended, or one that was timed in this stretch before; as long as that
// takes no longer than short tasks do.
TULLE_MAY_SUSPEND TULLE_COLD void try_site(Thread* thread, const MakerCosts& maker) {
  const uint16_t site = maker.site;
  const uint64_t expected = ended_as(thread->task(), stretch_of(thread), site);
  const uint64_t begin = arch::cycles();
  auto ended = [&] { return maker.ended.load(std::memory_order_relaxed) == expected; };
  while (!ended() && thread->team->tasks.something_queued() && arch::cycles() - begin < durations::kTrialPatience)
    give_way_to_tasks(thread->team);
  if (ended()) task_sites.note_tried(site);
}

}  // namespace

bool choose_by_length(Thread* thread, uint16_t site, uint32_t bits) {
  TaskQueue* queue = thread->queue;
  uint32_t limit = task_policies.of(thread->task()).queued[0];
  if (TULLE_UNLIKELY(task_sites.yield(site)) && has_space(queue)) {
    measure_keeping(&queue->maker);
    return false;
  }
  // A site that is not trusted may have tasks that wait for what their maker does next.
  bool trusted = task_sites.are_short(site);
  bool full = trusted ? queue->deque.holds_owner(limit) : queue->deque.holds_counted_owner(limit);
  if (!trusted && full && !queue->deque.asked_owner()) return true;
  if (trusted || full) {
    // Where the site is trusted it is time for a look.
    if (!trusted && --queue->maker.until_look != 0) return true;
    if (look_at_calls(queue, site, (bits & kTaskFollows) != 0)) return true;
    queue->deque.recount_owner();
    if (queue->deque.holds_owner(limit)) return true;
  }
  measure_keeping(&queue->maker);
  return false;
}

bool choose_by_depth(Thread* thread, uint32_t bits, uint32_t limit) {
  TaskQueue* queue = thread->queue;
  if (thread->descent != 0 && limit != 0) {
    --thread->descent;
    return false;
  }
  if (!queue->deque.holds_owner(limit) || !has_stack(thread)) return false;
  if (TULLE_UNLIKELY(limit == 0)) return (bits & kTaskUntied) == 0 && !takeable(thread->task());
  if (TULLE_LIKELY(!queue->deque.asked_owner())) return true;
  queue->deque.recount_owner();
  return queue->deque.holds_owner(limit);
}

bool choose_anew(Thread* thread, uint16_t site, uint32_t bits) {
  find_queue(thread);  // and so the policies are set
  return calls_all(thread) || enough_queued(thread, site, bits);
}

bool descends(Thread* thread) {
  const Task* maker = thread->task();
  if (maker->depth + maker->bare.load(std::memory_order_relaxed) != 0) return true;  // W: this thread
  // Tasks that were called at the top and made none are no tree.
  thread->descent -= std::min(thread->descent, kDescent / 4);
  return false;
}

bool by_length(const Thread* thread) {
  const Task* maker = thread->task();
  return maker->depth == 0 && !is_bare(maker) && task_policies.of(maker).by_length;
}

bool depends_on_nothing(Thread* thread, uint16_t site) {
  if (graphs_repeat() && graphs_go_first(thread)) return false;
  if (has_no_children(thread)) return true;
  if (!by_length(thread)) return false;
  MakerCosts* maker = &queue_for(thread)->maker;
  if (task_sites.are_short(site)) {
    if (maker->until_drain == 0 && drained(thread)) return has_no_children(self());
    maker = &queue_for(self())->maker;
    maker->until_drain = maker->until_drain == 0 ? kDrainEvery : maker->until_drain - 1;
  }
  if (--maker->until_timed == 0) measure_keeping(maker);
  return false;
}

void time_task(Thread* thread, TaskQueue* queue, Task* task) {
  thread->times = true;
  queue->maker.site = task->site;
  task->stretch = stretch_of(thread);
  set_looked_at(task->bits, task->bits | kTaskTimed);
}

void keep_timed(Thread* thread, TaskQueue* queue, Task* task) {
  time_task(thread, queue, task);
  make_task_ready(thread, task);
  note_kept(thread, queue, false);
}

void note_kept(Thread* thread, TaskQueue* queue, bool depends) {
  MakerCosts& maker = queue->maker;
  auto cost = static_cast<int64_t>(cost_of_keeping(queue, depends));
  // An interrupt is no part of it.
  auto taken = std::min<int64_t>(static_cast<int64_t>(arch::cycles() - maker.keeping_since), 2 * cost);
  set_cost(queue, depends, std::max(kLeastCost, static_cast<uint32_t>(cost + (taken - cost) / 8)));
  maker.keeping_since = 0;
  if (TULLE_UNLIKELY(task_sites.are_untried(maker.site))) try_site(thread, maker);
}

}  // namespace tulle::omp
