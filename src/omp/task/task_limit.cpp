// SPDX-License-Identifier: Apache-2.0
// Makers of tasks at the limit of unfinished ones (TULLE_TASK_LIMIT). What may begin is called, or with
// TULLE_TASK_CUTOFF=yield left to consumers first. After a task that is not complete then, since it waits
// for dependences or for an event, the maker waits until there is room; but if nothing is finished for a
// while it goes on, beyond the limit, for what is left may wait for the maker (a gate that it opens later).
//
// A maker that waits stands in a list. Consumers look at it now and then, when half of the limit are
// finished, and a worker that finds no task that it could run wakes it in any case.
#include "omp/task/task_limit.h"

#include <algorithm>

#include "omp/queue/task_policy.h"
#include "omp/task/graph_mode.h"
#include "omp/task/task_count.h"
#include "omp/task/task_ready.h"
#include "omp/task/task_run.h"
#include "omp/thread/team.h"
#include "os/clock.h"
#include "sched/durations.h"
#include "sched/wait.h"

namespace tulle::omp {

namespace {

namespace durations = sched::durations;

constexpr uint32_t kLimitEvery = 64;  // tasks between two looks at the limit, a sum over all queues
constexpr uint32_t kLowLimitEvery = 16;  // where the limit is no larger than that
constexpr uint32_t kMostWaiting = 64;  // makers of a team that wait for consumers, each on a stack

// While nothing is finished makers go on by a step each time their patience ends: by 100,000 tasks a
// second in the end. What is left may as well be one long task or an event that is to come. What is
// finished may be of others who make as many.
constexpr uint64_t kFirstStep = TaskPool::kFirstStepBeyond, kLongestStep = 1024;

// Whoever records a graph, or brings one in a file, wants it to take the place of the tasks: few are alive beside it.
constexpr uint32_t kLimitRecorded = 64, kLimitReplayedOfThread = 8;

// Relaxed: a recorder looks at its own mark, others may hold back or not.
uint32_t limit_of(const Team* team, uint32_t limit) {
  if (team->tasks.recorded.load(std::memory_order_relaxed) != 0) return std::min(limit, kLimitRecorded);
  if (TULLE_LIKELY(graph_mode.load(std::memory_order_relaxed) != GraphMode::replay)) return limit;
  return std::min(limit, std::max(kLimitRecorded, kLimitReplayedOfThread * team->nthreads));
}

// Tasks with dependences stand in no queue that could be full, so the limit alone bounds them.
bool at_limit(Thread* thread, uint32_t limit) {
  TaskQueue* queue = queue_for(thread);
  TaskPool& tasks = thread->team->tasks;
  if (++queue->unlooked < kLimitEvery) return false;
  limit = limit_of(thread->team, limit);
  bool reached = tasks.unfinished() >= (queue->pressed ? limit / 2 : limit);
  // Relaxed: a hint. It is set only where the limit was too low.
  if (!reached && tasks.allowed_beyond.load(std::memory_order_relaxed) != 0)
    tasks.allowed_beyond.store(0, std::memory_order_relaxed);
  queue->pressed = reached && task_policies.cutoff == TaskCutoff::work_first;
  // Below the limit all is well for a while; at it each further task is looked at.
  queue->unlooked = reached ? kLimitEvery : limit <= kLimitEvery ? kLimitEvery - kLowLimitEvery : 0;
  return reached;
}

// True. Offered once a maker stands in the list: who looked before may have found no name, and nobody to wake.
bool offered(const Team* team) {
  offer(team);
  return true;
}

// Suspends a maker, unless `most` do already: false. It goes on when enough() holds, or nothing is queued that
// could make it so. Relaxed in all: a bound.
template <class Enough>
TULLE_MAY_SUSPEND bool leave_to_consumers(Team* team, uint32_t most, Enough enough) {
  TaskPool& tasks = team->tasks;
  bool leaves = tasks.makers_waiting.fetch_add(1, std::memory_order_relaxed) < most;
  if (leaves)
    sched::suspend_once(tasks.makers, [&] { return enough() || !tasks.something_queued() || !offered(team); });
  tasks.makers_waiting.fetch_sub(1, std::memory_order_relaxed);
  return leaves;
}

// Where all tasks are makers, most had better call what they make.
TULLE_MAY_SUSPEND void wait_for_consumers(Team* team) {
  auto enough = [&] { return team->tasks.unfinished() <= task_policies.limit / 2; };
  if (!enough() && team->tasks.something_queued()) leave_to_consumers(team, kMostWaiting, enough);
}

bool has_room(const Team* team) {
  const TaskPool& tasks = team->tasks;
  uint64_t allowed = tasks.allowed_beyond.load(std::memory_order_relaxed);  // a hint
  return tasks.unfinished() < std::max<uint64_t>(allowed, limit_of(team, task_policies.limit));
}

// Relaxed in all: makers that go beyond the limit at the same time may go a little further.
void go_beyond(TaskPool& tasks, bool quiet) {
  uint64_t step = quiet ? tasks.step_beyond.load(std::memory_order_relaxed) : kLongestStep;
  tasks.allowed_beyond.store(tasks.unfinished() + step, std::memory_order_relaxed);
  if (quiet) tasks.step_beyond.store(std::min(2 * step, kLongestStep), std::memory_order_relaxed);
}

// Until there may be room. Where nothing is queued others run what is left, and nobody would wake the maker.
TULLE_MAY_SUSPEND void let_others_run(Team* team) {
  TaskPool& tasks = team->tasks;
  bool leaves = leave_to_consumers(team, kMostWaiting + team->nthreads, [&] { return has_room(team); });
  sched::wait_a_moment([&] { return has_room(team) || (leaves && tasks.something_queued()); });
}

TULLE_MAY_SUSPEND void wait_for_room(Thread* maker) {
  TaskPool& tasks = maker->team->tasks;
  uint64_t finished = tasks.finished(), since = os::now(), quiet_since = since;
  uint64_t allowed = tasks.allowed_beyond.load(std::memory_order_relaxed);
  while (!has_room(maker->team)) {
    let_others_run(self()->team);
    uint64_t now = os::now();
    if (uint64_t seen = tasks.finished(); seen != finished) {
      finished = seen;
      quiet_since = now;
      tasks.step_beyond.store(kFirstStep, std::memory_order_relaxed);
    }
    bool quiet = now - quiet_since >= durations::kMakerPatience;
    if (tasks.allowed_beyond.load(std::memory_order_relaxed) == allowed) {
      if (!quiet && now - since < durations::kMakerPatienceBesideOthers) continue;
      go_beyond(tasks, quiet);
    }
    allowed = tasks.allowed_beyond.load(std::memory_order_relaxed);
    since = quiet_since = now;
  }
}

}  // namespace

bool cut_off(Thread* thread, uint32_t limit) {
  if (task_policies.cutoff == TaskCutoff::none || !at_limit(thread, limit)) return false;
  if (task_policies.cutoff != TaskCutoff::yield) return true;
  wait_for_consumers(thread->team);
  return self()->team->tasks.unfinished() >= limit;
}

void submit_at_limit(Thread* thread, Task* task, bool ready) {
  if (ready && has_stack(thread)) {
    if (run_on_top(thread, task)) return;
  } else if (ready) {
    make_task_ready(thread, task);
  }
  wait_for_room(self());
}

}  // namespace tulle::omp
