// SPDX-License-Identifier: Apache-2.0
// The runtime's host and the simulator's are two implementations of tulle/policy.h. Here each policy
// places the same teams on both, on machines that are not this one, and workers take the same threads
// in the same order.
#include "sched/policy_host.h"

#include <functional>

#include "simulated.h"

namespace tulle::simulator {
namespace {

using sched::Placed;
using sched::PlacedBubble;
using sched::PlacedThread;
using sched::PolicyHost;
using sched::QueueTree;
using sched::Runqueue;

tulle_entity* handle(Placed* entity) { return reinterpret_cast<tulle_entity*>(entity); }
tulle_runqueue* handle(Runqueue* queue) { return reinterpret_cast<tulle_runqueue*>(queue); }

void expect_same_tree(tulle_host& a, tulle_runqueue* at_a, tulle_host& b, tulle_runqueue* at_b) {
  EXPECT_EQ(a.level(&a, at_a), b.level(&b, at_b));
  EXPECT_EQ(a.workers(&a, at_a), b.workers(&b, at_b));
  EXPECT_EQ(a.load_below(&a, at_a), b.load_below(&b, at_b));
  ASSERT_EQ(a.children(&a, at_a), b.children(&b, at_b));
  for (std::uint32_t i = 0; i < a.children(&a, at_a); ++i) {
    EXPECT_EQ(a.parent(&a, a.child(&a, at_a, i)), at_a);
    EXPECT_EQ(b.parent(&b, b.child(&b, at_b, i)), at_b);
    expect_same_tree(a, a.child(&a, at_a, i), b, b.child(&b, at_b, i));
  }
}

// A worker's search, by the interface alone.
class Searcher {
 public:
  using Begin = std::function<void(tulle_entity*, std::uint32_t leaf)>;

  Searcher(tulle_host& host, const tulle_policy& policy, Begin begin)
      : host_(host), policy_(policy), begin_(std::move(begin)) {
    collect(host.root(&host));
  }

  // Null: the worker would sleep.
  tulle_entity* take(std::uint32_t leaf) {
    for (;;) {
      tulle_entity* found = nullptr;
      for (tulle_runqueue* queue = leaves_[leaf]; queue != nullptr && found == nullptr;
           queue = host_.parent(&host_, queue))
        found = host_.first_in(&host_, queue);
      if (found == nullptr) {
        if (policy_.idle == nullptr || !policy_.idle(&host_, leaves_[leaf])) return nullptr;
      } else if (host_.is_bubble(&host_, found)) {
        host_.explode(&host_, found);
      } else {
        begin_(found, leaf);
        return found;
      }
    }
  }
  std::uint32_t leaves() const { return static_cast<std::uint32_t>(leaves_.size()); }
  tulle_runqueue* leaf(std::uint32_t index) const { return leaves_[index]; }

 private:
  void collect(tulle_runqueue* queue) {
    if (host_.children(&host_, queue) == 0) leaves_.push_back(queue);
    for (std::uint32_t i = 0; i < host_.children(&host_, queue); ++i)
      collect(host_.child(&host_, queue, i));
  }

  tulle_host& host_;
  const tulle_policy& policy_;
  Begin begin_;
  std::vector<tulle_runqueue*> leaves_;
};

class BothHosts : public ::testing::TestWithParam<const tulle_policy*> {};

INSTANTIATE_TEST_SUITE_P(Policies, BothHosts, ::testing::ValuesIn(sched::kPolicies),
                         [](const auto& info) { return std::string(info.param->name); });

// A team of `members` with loads from 1 to 3, encountered at `from`, whose own thread runs there.
void expect_same(const tulle_policy& policy, const char* description, std::uint32_t members,
                 std::uint32_t from) {
  SCOPED_TRACE(std::string(description) + ", members " + std::to_string(members));
  const topology::Tree& machine_tree = tree_of(description);
  auto cpus = static_cast<std::uint32_t>(machine_tree.cpu_count());

  Machine machine(machine_tree, std::numeric_limits<double>::quiet_NaN(), 1);
  Searcher simulated(machine, policy, [&](tulle_entity* thread, std::uint32_t leaf) {
    machine.begin(thread, machine.leaves()[leaf]);
  });
  tulle_entity* bubble = machine.make_bubble(nullptr);
  std::map<const tulle_entity*, std::uint32_t> number;
  for (std::uint32_t i = 1; i < members; ++i)
    number[machine.make_thread(bubble, 1 + i % 3)] = i;
  machine.begin(machine.make_thread(nullptr), machine.leaves()[from]);
  machine.put(bubble, machine.leaves()[from]);

  std::atomic<uint32_t> waiting{0};
  PolicyHost host(waiting);
  static auto& trees = *new std::map<std::string, QueueTree*>;  // they are never freed
  QueueTree*& tree = trees[description];
  if (tree == nullptr) tree = QueueTree::make(machine_tree, cpus);
  ASSERT_NE(tree, nullptr);
  host.use_tree(tree);
  host.clear();
  Searcher real(host, policy, [&](tulle_entity* thread, std::uint32_t leaf) {
    host.take(static_cast<PlacedThread*>(reinterpret_cast<Placed*>(thread)),
              host.tree()->leaf(leaf));
  });
  std::vector<PlacedThread> parts(members - 1);
  for (std::uint32_t i = 1; i < members; ++i) {
    parts[i - 1].load = 1 + i % 3;
    parts[i - 1].number = i;
  }
  PlacedBubble placed;
  placed.parts = parts.data();
  placed.count = members - 1;
  placed.own_load = 1;
  host.begin(&placed, nullptr, host.tree()->leaf(from), true);

  if (policy.distribute != nullptr) {
    policy.distribute(&machine, bubble, machine.leaves()[from]);
    policy.distribute(&host, handle(&placed), handle(host.tree()->leaf(from)));
  }
  expect_same_tree(machine, machine.root_queue(), host, handle(host.tree()->root()));
  std::uint32_t taken = 0;
  for (bool found = true; found;) {
    found = false;
    for (std::uint32_t leaf = 0; leaf < cpus; ++leaf) {
      tulle_entity* a = simulated.take(leaf);
      tulle_entity* b = real.take(leaf);
      ASSERT_EQ(a == nullptr, b == nullptr) << "leaf " << leaf;
      if (a == nullptr) continue;
      found = true;
      ++taken;
      // The two draw different victims.
      if (&policy != &sched::kRandomPolicy) {
        EXPECT_EQ(number[a], reinterpret_cast<PlacedThread*>(b)->number) << "leaf " << leaf;
      }
    }
  }
  EXPECT_EQ(taken, members - 1);
  EXPECT_EQ(waiting.load(), 0u);
  expect_same_tree(machine, machine.root_queue(), host, handle(host.tree()->root()));
}

TEST_P(BothHosts, PlaceTheSame) {
  for (const char* machine : {kPapersMachine, "package:2 core:64 pu:2", "numa:4 core:6 pu:1",
                              "core:7 pu:1", "numa:16 core:64 pu:1"})
    for (std::uint32_t members : {2u, 3u, 16u, 100u})
      for (std::uint32_t from : {0u, 5u}) expect_same(*GetParam(), machine, members, from);
}

}  // namespace
}  // namespace tulle::simulator
