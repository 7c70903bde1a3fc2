// SPDX-License-Identifier: Apache-2.0
// Which queues of a pool lie together, where it has many: workers put what is for all into a list of their own cluster
// (sched/clusters.h), thieves look there and at the queues of that cluster, and one at a time of each cluster at the others. So as many thieves meet at one queue as there are clusters, or workers in
// one, and a search that finds nothing touches what others have written in as many lines.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"
#include "omp/queue/shared_tasks.h"
#include "sched/clusters.h"
#include "sched/guest.h"
#include "sched/worker.h"

namespace tulle::omp {

struct TaskQueue;

// One at a time does something. A thread that fork() left in the parent holds nobody up. Any thread.
class ThiefTurn {
 public:
  bool take() {
    const uint32_t mark = mark_now();
    // Relaxed: the exchange decides.
    return taken_in_.load(std::memory_order_relaxed) != mark && taken_in_.exchange(mark, std::memory_order_acquire) != mark;
  }
  bool is_taken() const { return taken_in_.load(std::memory_order_relaxed) == mark_now(); }  // a hint
  void give_back() { taken_in_.store(0, std::memory_order_release); }  // pairs with take

 private:
  static uint32_t mark_now() { return sched::forks_so_far() + 1; }

  std::atomic<uint32_t> taken_in_{0};  // a mark; 0: nobody has it
};

struct TULLE_PAIR_ALIGNED TaskCluster {
  std::atomic<TaskQueue*> newest{nullptr};  // of its queues, through TaskQueue::next_near. W: under the pool's lock
  TULLE_PAIR_ALIGNED ThiefTurn away;        // of its workers: looks at other clusters
  TULLE_PAIR_ALIGNED SharedTasks shared;    // for all; by priority among those of the cluster
};

class TaskClusters {
 public:
  // Of so many workers, as this machine is. Null: no memory.
  static TaskClusters* make(uint32_t workers);
  static void free(TaskClusters* clusters);

  TaskCluster* of(const sched::Worker* worker) const;

  // Calls found(cluster) for each until it returns true.
  template <class Found>
  bool any(Found found) {
    for (uint32_t i = 0; i < count_; ++i)
      if (found(clusters_[i])) return true;
    return false;
  }

  // Calls found(cluster) for the others, near ones first, until it returns true.
  template <class Found>
  bool any_beside(const TaskCluster* own, Found found) const {
    const uint32_t at = static_cast<uint32_t>(own - clusters_);
    for (uint32_t distance = 1; distance < count_; ++distance) {
      if (distance <= at && found(clusters_[at - distance])) return true;
      if (at + distance < count_ && found(clusters_[at + distance])) return true;
    }
    return false;
  }

 private:
  TaskClusters() = default;
  bool fill(const sched::Clusters& parts);

  TaskCluster* clusters_ = nullptr;
  uint32_t* cluster_of_ = nullptr;  // by the worker's number
  uint32_t count_ = 0, workers_ = 0;
};

}  // namespace tulle::omp
