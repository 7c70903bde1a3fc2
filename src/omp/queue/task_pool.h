// SPDX-License-Identifier: Apache-2.0
// The explicit tasks of a team: one queue for each worker that takes part, found through the
// thread that it runs; and lists for all, one of the pool, and, where there are many queues, one for each
// cluster of them (queue/task_clusters.h). The counts of all queues tell a barrier
// when every task is complete: finished are read first, then created; if the sums are equal nothing
// was unfinished in between (both only grow, and nothing is finished before it is created).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "base/cacheline.h"
#include "base/list.h"
#include "omp/queue/shared_tasks.h"
#include "omp/queue/task_clusters.h"
#include "omp/queue/task_memory.h"
#include "omp/queue/task_record.h"
#include "omp/queue/task_sites.h"
#include "sched/guest.h"
#include "sched/wait_list.h"
#include "sched/worker.h"
#include "sync/deque.h"
#include "sync/spinlock.h"

namespace tulle::omp {

// The maker's measurements of its tasks' cost (task/task_choice.h). W: the queue's owner.
struct MakerCosts {
  // Cycles that it takes to keep a task without, with dependences; at first what it was on the machines tried.
  std::atomic<uint32_t> cost[2] = {600, 1200};  // R: others, as a hint
  uint32_t until_timed = 1;     // kept tasks until one is timed
  uint64_t keeping_since = 0;   // when it began to keep the one that is timed; 0: none is
  uint64_t called_since = 0;    // the last look at the clock at a task that was called
  uint32_t stride = 1;          // tasks between two such looks
  uint32_t until_look = 1;      // of these, still to come
  uint32_t long_looks = 0;      // in a row that found calls to be worth keeping
  uint32_t until_drain = 0;     // tasks until it waits for its short siblings again
  uint16_t site = 0;            // of the last that was timed
  std::atomic<uint64_t> ended{0};  // the last timed one that was short (task_choice.h); W: who ran it
};

// A worker's share of a team's tasks. Owner: the worker; its OS thread is the only one that pushes,
// pops, and counts here.
struct TULLE_PAIR_ALIGNED TaskQueue {
  static constexpr uint32_t kCapacity = 1024;

  sync::Deque<Task, kCapacity> deque;
  TULLE_PAIR_ALIGNED std::atomic<uint64_t> created{0};   // W: owner; R: barriers
  std::atomic<uint64_t> finished{0};  // W: owner; R: barriers
  sched::Worker* owner = nullptr;
  uint32_t last_identity = 0;  // W: owner; member in whose name it ran a task last, at first one of its own
  uint32_t unlooked = 0;       // W: owner; tasks made since the limit was looked at
  uint32_t dealt = 0;          // W: owner; tasks that it gave to the queues in turn
  uint32_t number = 0;         // in its pool; fixed
  uint32_t victim = 0;         // W: owner; the queue that it took a task from last, at first its own
  bool pressed = false;        // W: owner; it makes no tasks until half of the limit are gone
  MakerCosts maker;
  TaskMemory memory;
  // Tasks from others, newest first, through Task::next. Whoever takes them takes all.
  TULLE_PAIR_ALIGNED std::atomic<Task*> inbox{nullptr};
  ThiefTurn raid;  // of a thief that takes several
  std::atomic<TaskCluster*> cluster{nullptr};  // where there are many queues. W: under the pool's lock
  TaskQueue* next_near = nullptr;              // in its cluster; fixed once it stands there
};

class TaskPool {
 public:
  // The number of the barrier before which tasks were last made. W: makers; R: barriers.
  // Written once between two barriers.
  TULLE_PAIR_ALIGNED std::atomic<uint32_t> used_before{0};

  // Unfinished tasks up to which makers go on because nothing was finished for a while, 0 if the limit
  // holds; and the next step there. W, R: makers at the limit.
  static constexpr uint64_t kFirstStepBeyond = 64;
  std::atomic<uint64_t> allowed_beyond{0};
  std::atomic<uint64_t> step_beyond{kFirstStepBeyond};
  // A memory of its queues has more than it keeps (queue/memory_blocks.h). W: owners of queues; who gives it back.
  std::atomic<bool> burst{false};
  // In the list of those that are to be given back (queue/task_trim.h). W: under its lock.
  uint32_t listed_in = 0;
  TaskPool* next_listed = nullptr;
  // Acquire: what was done under the lock. Pairs with the release.
  bool is_listed() const { return listed_.load(std::memory_order_acquire); }
  void set_listed(bool on) { listed_.store(on, std::memory_order_release); }

  // Graphs that are being recorded: their makers hold back earlier (task/task_limit.cpp). W: their recorders.
  std::atomic<uint32_t> recorded{0};

  // Makers of tasks that wait until consumers have taken some, and how many they are. W: makers.
  sched::WaitList makers;
  std::atomic<uint32_t> makers_waiting{0};

  // Threads in a taskyield, until a worker has run a task or found none.
  sched::WaitList yielders;

  bool used(uint32_t barrier) const {
    // Relaxed: a maker's store is ordered by its arrival at the barrier.
    return used_before.load(std::memory_order_relaxed) == barrier;
  }

  // The queue of `worker`, made if need be; null: no memory, or too many workers.
  TaskQueue* queue_of(sched::Worker* worker);
  // The same for the worker itself, which looks again and again: most often without the lock.
  TaskQueue* own_queue_of(sched::Worker* self);
  // Null too if it would take the lock to know it.
  TaskQueue* known_queue_of(const sched::Worker* self) const {
    if (self->task_queue >= count_.load(std::memory_order_acquire)) return nullptr;  // pairs with queue_of
    TaskQueue* queue = queue_at(self->task_queue);
    return queue->owner == self ? queue : nullptr;
  }

  // Queues stand in these from now on, for good. Takes them over.
  void divide(TaskClusters* clusters);

  // Owner of `own`: a task of the lists nearby that may run under `constraint`; and of the others.
  Task* take_shared(const TaskQueue* own, const Task* constraint) {
    if (Task* task = shared_.take(constraint)) return task;
    SharedTasks* near = shared_near(own);
    return TULLE_LIKELY(near == nullptr) ? nullptr : near->take(constraint);
  }
  Task* take_shared_far(const TaskQueue* own, const Task* constraint);
  // A hint: some list has one that may run under `constraint`.
  bool can_take_shared(const Task* constraint);
  // Owner of `own`, a hint: a task in a list nearby is to go before those in the queues.
  bool has_urgent(const TaskQueue* own) const {
    if (shared_.holds_urgent()) return true;
    const SharedTasks* near = shared_near(own);
    return TULLE_UNLIKELY(near != nullptr) && near->holds_urgent();
  }

  // Owner of `own`: a task that `allowed` accepts, from another queue. Of few, first of all from where there was one before, so
  // that not all thieves look at the same; of many, first of all from one of its cluster. Allowed: bool(const Task*).
  template <class Allowed>
  Task* steal(TaskQueue* own, Allowed allowed);

  // Owner of `own`: tasks from its inbox, or else from another's, stand in its deque now. False: there
  // were none.
  bool adopt(TaskQueue* own);

  // Any thread, a hint: a task that waits in a worker's queue, whether it may begin or not.
  bool something_in_queues() const;
  // The same for the owner of `own`, or a worker without one, which will look again: what steal() would look at now.
  bool something_to_steal(const TaskQueue* own) const;

  // Any OS thread; `near`, null or a queue of the pool: into the list there.
  void push_shared(Task* task, const TaskQueue* near) {
    SharedTasks* cluster = near == nullptr ? nullptr : shared_near(near);
    (TULLE_LIKELY(cluster == nullptr) ? shared_ : *cluster).push(task);
  }
  // Any thread: into the inbox of a queue that is another worker's.
  static void push_inbox(TaskQueue* queue, Task* task);
  // Any OS thread: a task completed outside of any queue's owner (an event was fulfilled).
  void count_external_finish() { external_.fetch_add(1, std::memory_order_release); }

  // Owner of `own`: the queues in turn, at least `workers` as far as there are workers.
  TaskQueue* next_in_turn(TaskQueue* own, uint32_t workers);

  // Whether thread `number` has made all tasks since barrier `barrier`; a hint.
  bool sole_maker(uint32_t barrier, uint32_t number);

  // The queue of the worker that took a task with this affinity last, as far as is known; else null.
  TaskQueue* near(const void* address);
  void note_near(const void* address, const TaskQueue* queue);

  bool something_queued() const;
  // The same for the lists alone.
  bool something_shared() const;
  bool quiescent() const;
  // Deferred tasks that are not complete: exact only while nothing moves.
  uint64_t unfinished() const;
  // Those that were completed so far.
  uint64_t finished() const;

  // Whoever is alone with the pool, all of whose tasks are complete: what its queues do not keep. False: `wanted` came
  // true before that was done.
  template <class Wanted>
  bool give_back(Wanted wanted);

 private:
  static constexpr uint32_t kNear = 1024;

  // Where there are many queues, the list of the queue's cluster.
  static SharedTasks* shared_near(const TaskQueue* queue) {
    TaskCluster* cluster = queue->cluster.load(std::memory_order_acquire);  // pairs with put_into_cluster_locked
    return cluster == nullptr ? nullptr : &cluster->shared;
  }
  // Whether found(list) is true of one. Pool: TaskPool, const or not.
  template <class Pool, class Found>
  static bool any_list(Pool& pool, Found found);
  std::atomic<uint64_t>* near_slot(const void* address);

  // Many thieves at one deque keep each other from it: every try that comes too late moves its line. So where there are many,
  // one at a time takes some, and from its own deque others take half of these.
  static constexpr uint32_t kFewQueues = 8, kMostAtOnce = 32;
  template <class Allowed>
  Task* steal_in(const TaskCluster& cluster, TaskQueue* own, Allowed allowed);
  template <class Allowed>
  Task* steal_many(TaskCluster* near, TaskQueue* own, Allowed allowed);
  template <class Allowed>
  Task* steal_several(TaskQueue* own, TaskQueue* queue, Allowed allowed);
  TaskQueue* find_or_make(sched::Worker* worker);
  void divide_by_machine();
  void put_into_cluster_locked(TaskQueue* queue);

  using Place = std::atomic<TaskQueue*>;
  static constexpr uint32_t kFirstQueues = 16;  // most machines' teams have no more

  // Of those below count_, which published the queue.
  TaskQueue* queue_at(uint32_t number) const {
    return queues_.load(std::memory_order_acquire)[number].load(std::memory_order_relaxed);
  }
  bool make_room_locked(uint32_t number);

  Place first_queues_[kFirstQueues] = {};
  std::atomic<Place*> queues_{first_queues_};  // W: under lock_; all, once there are more than these
  std::atomic<uint32_t> count_{0};
  std::atomic<TaskClusters*> clusters_{nullptr};  // of more than kFewQueues. W: under lock_
  std::atomic<bool> listed_{false};
  std::atomic<uint64_t> maker_{0};  // barrier, and number of the only maker and one; or kMany
  std::atomic<std::atomic<uint64_t>*> near_{nullptr};  // by address: the rest of it, and a queue
  TULLE_PAIR_ALIGNED SharedTasks shared_;
  TULLE_PAIR_ALIGNED std::atomic<uint64_t> external_{0};
  sync::Spinlock lock_;  // of the tables
};

template <class Pool, class Found>
bool TaskPool::any_list(Pool& pool, Found found) {
  if (found(pool.shared_)) return true;
  TaskClusters* clusters = pool.clusters_.load(std::memory_order_acquire);  // pairs with divide
  return clusters != nullptr && clusters->any([&](TaskCluster& cluster) { return found(cluster.shared); });
}

template <class Wanted>
bool TaskPool::give_back(Wanted wanted) {
  const uint32_t count = count_.load(std::memory_order_acquire);  // pairs with queue_of
  for (uint32_t i = 0; i < count; ++i) queue_at(i)->memory.send_home();
  for (uint32_t i = 0; i < count; ++i)
    if (!queue_at(i)->memory.give_back(queue_at(i), wanted)) return false;
  burst.store(false, std::memory_order_relaxed);  // nobody else is there
  any_list(*this, [](SharedTasks& list) { return list.give_back(), false; });
  return true;
}

template <class Allowed>
Task* TaskPool::steal(TaskQueue* own, Allowed allowed) {
  if (TaskCluster* near = own->cluster.load(std::memory_order_acquire); near != nullptr)  // pairs with put_into_cluster_locked
    return steal_many(near, own, allowed);
  uint32_t count = count_.load(std::memory_order_acquire);  // pairs with queue_of
  uint32_t number = own->victim;
  for (uint32_t i = 0; i < count; ++i, ++number) {
    if (number >= count) number = 0;
    TaskQueue* queue = queue_at(number);
    if (queue == own || queue->deque.size() == 0) continue;
    Task* task = queue->deque.steal_any(allowed);
    if (task == nullptr) continue;
    own->victim = number;
    return task;
  }
  return nullptr;
}

template <class Allowed>
Task* TaskPool::steal_many(TaskCluster* near, TaskQueue* own, Allowed allowed) {
  Task* task = steal_in(*near, own, allowed);
  if (task != nullptr || !near->away.take()) return task;
  clusters_.load(std::memory_order_relaxed)->any_beside(near, [&](const TaskCluster& cluster) {
    task = steal_in(cluster, own, allowed);
    return task != nullptr;
  });
  near->away.give_back();
  return task;
}

// Whether found(queue) is true of a queue that no thief is at: what that one is about to take is left to it.
template <class Found>
bool any_unraided(const TaskCluster& cluster, Found found) {
  TaskQueue* queue = cluster.newest.load(std::memory_order_acquire);  // pairs with put_into_cluster_locked
  for (; queue != nullptr; queue = queue->next_near)
    if (!queue->raid.is_taken() && found(queue)) return true;
  return false;
}

template <class Allowed>
Task* TaskPool::steal_in(const TaskCluster& cluster, TaskQueue* own, Allowed allowed) {
  Task* task = nullptr;
  any_unraided(cluster, [&](TaskQueue* queue) {
    if (queue != own && queue->deque.size() != 0) task = steal_several(own, queue, allowed);
    return task != nullptr;
  });
  return task;
}

template <class Allowed>
Task* TaskPool::steal_several(TaskQueue* own, TaskQueue* queue, Allowed allowed) {
  // Whoever is there may leave some to others; who looks before it sleeps sees what is left.
  if (!queue->raid.take()) return nullptr;
  Task* task = queue->deque.steal_any(allowed);
  for (uint32_t more = std::min(queue->deque.size() / 2, kMostAtOnce); task != nullptr && more != 0; --more) {
    Task* next = queue->deque.steal_any(allowed);
    if (next == nullptr) break;
    if (!own->deque.push_owner(next)) push_shared(next, own);
  }
  queue->raid.give_back();
  return task;
}

}  // namespace tulle::omp
