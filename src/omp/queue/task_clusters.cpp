// SPDX-License-Identifier: Apache-2.0
#include "omp/queue/task_clusters.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace tulle::omp {

TaskClusters* TaskClusters::make(uint32_t workers) {
  sched::Clusters* parts = sched::Clusters::make_here(workers);
  if (parts == nullptr) return nullptr;
  void* memory = malloc(sizeof(TaskClusters));
  TaskClusters* made = memory == nullptr ? nullptr : new (memory) TaskClusters;
  if (made != nullptr && !made->fill(*parts)) {
    free(made);
    made = nullptr;
  }
  sched::Clusters::free(parts);
  return made;
}

bool TaskClusters::fill(const sched::Clusters& parts) {
  count_ = parts.cluster_count();
  workers_ = parts[count_ - 1].end;
  clusters_ = static_cast<TaskCluster*>(aligned_alloc(alignof(TaskCluster), count_ * sizeof(TaskCluster)));
  cluster_of_ = static_cast<uint32_t*>(malloc(workers_ * sizeof(uint32_t)));
  if (clusters_ == nullptr || cluster_of_ == nullptr) return false;
  for (uint32_t i = 0; i < count_; ++i) {
    new (&clusters_[i]) TaskCluster;
    std::fill(cluster_of_ + parts[i].first, cluster_of_ + parts[i].end, i);
  }
  return true;
}

void TaskClusters::free(TaskClusters* clusters) {
  if (clusters == nullptr) return;
  ::free(clusters->clusters_);
  ::free(clusters->cluster_of_);
  ::free(clusters);
}

// A spare is where the worker is that it stands in for; all OS threads of the program are where the first CPU is.
TaskCluster* TaskClusters::of(const sched::Worker* worker) const {
  const uint32_t number = worker->leaf.load(std::memory_order_relaxed);  // a hint
  return &clusters_[cluster_of_[std::min(number, workers_ - 1)]];
}

}  // namespace tulle::omp
