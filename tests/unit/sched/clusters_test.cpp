// SPDX-License-Identifier: Apache-2.0
#include "sched/clusters.h"

#include <gtest/gtest.h>

#include <memory>

namespace tulle::sched {
namespace {

struct Free {
  void operator()(Clusters* clusters) const { Clusters::free(clusters); }
};
using ClustersPtr = std::unique_ptr<Clusters, Free>;

ClustersPtr clusters_of(const char* machine, uint32_t workers) {
  topology::TreePtr topology = topology::from_synthetic(machine);
  EXPECT_NE(topology, nullptr) << machine;
  return ClustersPtr(Clusters::make(*topology, workers));
}

// Each worker is in one cluster, each part but the tops in one part.
void expect_whole(const Clusters& clusters, uint32_t workers) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < clusters.cluster_count(); ++i) {
    EXPECT_EQ(clusters[i].first, next);
    EXPECT_EQ(clusters[i].first_worker, next);
    EXPECT_GT(clusters[i].end, next);
    EXPECT_LE(clusters[i].end - next, Clusters::kMostWorkers);
    next = clusters[i].end;
  }
  EXPECT_EQ(next, workers);
  next = 0;
  for (uint32_t i = clusters.cluster_count(); i < clusters.size(); ++i) {
    EXPECT_EQ(clusters[i].first, next);
    EXPECT_LE(clusters[i].end - clusters[i].first, Clusters::kMostParts);
    EXPECT_EQ(clusters[i].first_worker, clusters[next].first_worker);
    for (; next < clusters[i].end; ++next) EXPECT_EQ(clusters[next].parent, i);
  }
  EXPECT_EQ(clusters.first_top(), next);
  for (; next < clusters.size(); ++next) EXPECT_EQ(clusters[next].parent, Clusters::kNone);
  EXPECT_LE(clusters.size() - clusters.first_top(), Clusters::kMostTops);
}

TEST(Clusters, FollowCachesThenPackages) {
  ClustersPtr clusters = clusters_of("pack:2 l3:16 core:4 pu:1", 128);
  expect_whole(*clusters, 128);
  EXPECT_EQ(clusters->cluster_count(), 32u);
  EXPECT_EQ(clusters->size(), 34u);
  EXPECT_EQ(clusters->first_top(), 32u);
  EXPECT_EQ((*clusters)[33].first_worker, 64u);
  EXPECT_NE((*clusters)[0].package, (*clusters)[16].package);
}

TEST(Clusters, DivideWhatIsLarge) {
  ClustersPtr clusters = clusters_of("pack:2 l3:1 core:20 pu:1", 40);
  expect_whole(*clusters, 40);
  EXPECT_EQ(clusters->cluster_count(), 6u);  // 20 in three pieces
  EXPECT_EQ(clusters->first_top(), 0u);
}

TEST(Clusters, AreForFewerWorkersThanCpus) {
  ClustersPtr clusters = clusters_of("pack:2 l3:4 core:8 pu:1", 20);
  expect_whole(*clusters, 20);
  EXPECT_EQ(clusters->cluster_count(), 3u);
  EXPECT_EQ((*clusters)[2].end - (*clusters)[2].first, 4u);
}

TEST(Clusters, AreForMoreWorkersThanCpus) {
  for (uint32_t workers : {9u, 16u, 64u, 129u, 1000u, 4095u})
    for (const char* machine : {"core:2 pu:1", "core:1 pu:1", "pack:2 l3:2 core:2 pu:2", "numa:8 core:1 pu:1"})
      expect_whole(*clusters_of(machine, workers), workers);
}

TEST(Clusters, HaveSeveralLevelsWhereManyPackagesAre) {
  ClustersPtr clusters = clusters_of("pack:64 core:2 pu:1", 128);
  expect_whole(*clusters, 128);
}

TEST(Clusters, AreThereOnThisMachine) {
  ClustersPtr clusters(Clusters::make_here(12));
  ASSERT_NE(clusters, nullptr);
  expect_whole(*clusters, 12);
}

}  // namespace
}  // namespace tulle::sched
