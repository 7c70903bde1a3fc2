// SPDX-License-Identifier: Apache-2.0
#include "sched/memory_nodes.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "os/memory.h"
#include "os/pages.h"

namespace tulle::sched {
namespace {

WorkerNodes nodes_of(const char* machine, uint32_t workers) {
  topology::TreePtr topology = topology::from_synthetic(machine);
  EXPECT_NE(topology, nullptr) << machine;
  return {*topology, workers};
}

struct Placed {
  uintptr_t begin, end;
  int node;
};

std::vector<Placed> place(const WorkerNodes& nodes, uintptr_t records, size_t bytes_of_each) {
  std::vector<Placed> placed;
  nodes.place(reinterpret_cast<void*>(records), bytes_of_each, [&](void* address, size_t bytes, int node) {
    placed.push_back({reinterpret_cast<uintptr_t>(address), reinterpret_cast<uintptr_t>(address) + bytes, node});
  });
  return placed;
}

TEST(WorkerNodes, AreThoseOfTheCpusInTheirOrder) {
  const WorkerNodes nodes = nodes_of("numa:2 core:8 pu:1", 16);
  for (uint32_t worker = 0; worker < 16; ++worker) EXPECT_EQ(nodes.of(worker), worker < 8 ? 0 : 1) << worker;
  EXPECT_EQ(nodes.of(16), kAnyNode);
}

TEST(WorkerNodes, NeighboursShareWhereThereAreMoreThanCpus) {
  const WorkerNodes nodes = nodes_of("numa:4 core:2 pu:1", 32);
  for (uint32_t worker = 0; worker < 32; ++worker) EXPECT_EQ(nodes.of(worker), static_cast<int>(worker / 8)) << worker;
}

TEST(WorkerNodes, NobodyIsAnywhereWhereNothingIsKnown) {
  const WorkerNodes nodes{};
  EXPECT_EQ(nodes.of(0), kAnyNode);
  EXPECT_TRUE(place(nodes, 0x10000, 384).empty());
  void* memory = nodes.allocate(128, 384, 20);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 128, 0u);
  memset(memory, 1, size_t{384} * 20);
  free(memory);
}

// A page with records of two nodes' workers, or with anything else beside them, stays where it is.
TEST(WorkerNodes, PlaceWholePagesOfOneNode) {
  const size_t page = os::page_size();
  const WorkerNodes nodes = nodes_of("numa:2 core:64 pu:1", 128);
  for (size_t bytes : {size_t{384}, size_t{1000}, 2 * page}) {
    for (uintptr_t records : {16 * page, 16 * page + 128}) {
      SCOPED_TRACE(testing::Message() << bytes << " bytes each, from " << records);
      const std::vector<Placed> placed = place(nodes, records, bytes);
      ASSERT_EQ(placed.size(), 2u);
      for (const Placed& part : placed) {
        const uintptr_t first = records + static_cast<size_t>(part.node) * 64 * bytes;
        EXPECT_EQ(part.begin % page, 0u);
        EXPECT_EQ(part.end % page, 0u);
        EXPECT_GE(part.begin, first);
        EXPECT_LE(part.end, first + 64 * bytes);
        EXPECT_LT(part.begin - first, page);
        EXPECT_LT(first + 64 * bytes - part.end, page);
      }
      EXPECT_EQ(placed[0].node, 0);
      EXPECT_EQ(placed[1].node, 1);
    }
  }
  EXPECT_TRUE(place(nodes, 16 * page + 128, 16).empty());  // none of them has a page for itself
}

// The machine's first node is the only one that is sure to be there; what other machines have is told from the same memory.
TEST(MemoryAtNode, OfOneNodeLiesTogetherAndOfTwoOnOtherPages) {
  const size_t page = os::page_size();
  auto* one = static_cast<char*>(allocate_at_node(0, 128, 768));
  auto* two = static_cast<char*>(allocate_at_node(0, 128, 768));
  auto* other = static_cast<char*>(allocate_at_node(1, 128, 768));
  auto* anywhere = static_cast<char*>(allocate_at_node(kAnyNode, 128, 768));
  for (char* memory : {one, two, other, anywhere}) {
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 128, 0u);
    memset(memory, 1, 768);
  }
  EXPECT_EQ(two - one, 768);
  EXPECT_NE(reinterpret_cast<uintptr_t>(other) / page, reinterpret_cast<uintptr_t>(two) / page);
  free(anywhere);
  void* large = allocate_at_node(0, 128, size_t{1} << 20);
  ASSERT_NE(large, nullptr);
  memset(large, 1, size_t{1} << 20);
  free(large);
}

TEST(MemoryAtNode, TheCallerIsAtANodeThatThereIs) {
  EXPECT_GE(os::memory_node_count(), 1);
  const int node = os::current_memory_node();
  EXPECT_GE(node, 0);
  if (os::memory_node_count() == 1) {
    EXPECT_EQ(node, 0);
    EXPECT_EQ(memory_node_here(), kAnyNode);
  }
}

TEST(MemoryAtNode, TheKernelIsAskedForThatNode) {
  constexpr int kPreferred = 1, kOfAddress = 2;  // MPOL_PREFERRED, MPOL_F_ADDR
  constexpr size_t kBytes = 4 * 4096;
  void* memory = os::map_memory(kBytes);
  ASSERT_NE(memory, nullptr);
  memset(memory, 1, kBytes);
  put_at_node(memory, kBytes, kAnyNode);
  const auto policy_of = [](void* address, int& mode, unsigned long& nodes) {
    unsigned long mask[16] = {};
    const long failed = syscall(SYS_get_mempolicy, &mode, mask, 16 * 64, address, kOfAddress);
    nodes = mask[0];
    return failed == 0;
  };
  int mode = -1;
  unsigned long nodes = 0;
  if (!policy_of(memory, mode, nodes)) GTEST_SKIP() << "the kernel knows no memory policies, or does not tell";
  EXPECT_NE(mode, kPreferred);
  put_at_node(memory, kBytes, 0);
  ASSERT_TRUE(policy_of(memory, mode, nodes));
  EXPECT_EQ(mode, kPreferred);
  EXPECT_EQ(nodes, 1u);
  os::unmap_memory(memory, kBytes);
}

}  // namespace
}  // namespace tulle::sched
