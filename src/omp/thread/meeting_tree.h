// SPDX-License-Identifier: Apache-2.0
// Where many members meet, each of which has a worker of its own: a tree of the clusters of their workers
// (sched/clusters.h). Each member writes a flag of its own. The leader of a part, its first member, raises the part's
// word when all that belongs to it has come; leaders of the uppermost parts look at each other's. What is known then
// goes down: each leader tells the leaders below, and the members of its cluster by one word. Lines lie on pages that
// members of one package touch.
//
// Numbers of barriers only grow, and nobody writes a later one to a part above a member that has not left the one
// before. So members of a part may do its leader's work beside it: that is how a member sees for itself, before it
// sleeps, whether all have come (`whole`).
//
// Ordering: each store (release) pairs with the loads of who goes on by it (acquire): who sees that all have come sees
// what they did before. What has to be ordered against those who sleep is the caller's: `raised` is called after
// each word that is raised (omp/worksharing/barrier.cpp).
//
// Reductions go up the same tree: a leader combines with its own what the others of its part have, and says so, and
// then offers the whole to the leader of the part above. Here nobody does another one's work, as each combines with data
// of its own. Whoever has offered waits until that was taken, since it lies on its stack.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "base/cacheline.h"
#include "sched/clusters.h"

namespace tulle::omp {

class MeetingTree {
 public:
  // Of members whose next barrier is `first`, on workers of the same numbers. Null for no memory.
  static MeetingTree* make(const sched::Clusters& clusters, uint32_t members, uint32_t first, bool by_leaders);
  static void free(MeetingTree* tree);

  uint32_t members() const { return members_; }

  void arrive(uint32_t member, uint32_t barrier) {
    member_[member].flag->number.store(barrier - base_, std::memory_order_release);  // pairs with have_come
  }

  // Does the work of a leader that `member` is, once. True: all have come to the barrier, which `member` has arrived at.
  template <class Raised>
  bool advance(uint32_t member, uint32_t barrier, Raised raised) {
    const uint32_t cluster = member_[member].cluster;
    if (TULLE_LIKELY(nodes_[cluster].leader != member)) return has_come(*nodes_[cluster].down, barrier - base_);
    return climb(member, barrier, false, raised);
  }

  // The same, whoever leads.
  template <class Raised>
  bool advance_whole(uint32_t member, uint32_t barrier, Raised raised) {
    return climb(member, barrier, true, raised);
  }

  // What all members have, combined: each calls it with its own `data`, for each reduction of the team, in one order. Calls
  // combine(data, another's) in the order of the members; and wait(done), which returns when done(), a look at words that are
  // raised. True: it is the first member, and `data` stands for all. False: others have them, and `data` is the caller's again.
  template <class Combine, class Wait, class Raised>
  bool reduce(uint32_t member, void* data, Combine combine, Wait wait, Raised raised) {
    const uint32_t number = ++member_[member].flag->reductions;  // W: the member
    const auto take = [&](Line* const* others, uint32_t count) {
      wait([=] { return have_offered(others, count, number); });
      for (uint32_t i = 0; i < count; ++i) __builtin_prefetch(others[i]->data);
      for (uint32_t i = 0; i < count; ++i) combine(data, others[i]->data);
    };
    const auto offer = [&](Line* line, const Line* taken) {
      line->data = data;
      line->offered.store(number, std::memory_order_release);  // pairs with have_offered
      raised();
      wait([=] { return reached(taken->taken.load(std::memory_order_acquire), number); });  // pairs with say_taken
    };
    const auto say_taken = [number](Line* line) { line->taken.store(number, std::memory_order_release); };

    uint32_t at = member_[member].cluster;
    if (nodes_[at].leader != member) return offer(member_[member].flag, nodes_[at].down), false;
    take(nodes_[at].children + 1, nodes_[at].child_count - 1);
    say_taken(nodes_[at].down);
    raised();
    for (uint32_t above; (above = nodes_[at].parent) != kNone; at = above) {
      if (nodes_[above].leader != member) return offer(nodes_[at].up, nodes_[at].go), false;
      const Node& node = nodes_[above];
      take(node.children + 1, node.child_count - 1);
      for (uint32_t i = 1; i < node.child_count; ++i) say_taken(nodes_[node.first_child + i].go);
      raised();
    }
    if (member != 0) return offer(nodes_[at].up, nodes_[at].go), false;
    take(tops_ + 1, top_count_ - 1);
    for (uint32_t i = node_count_ - top_count_ + 1; i < node_count_; ++i) say_taken(nodes_[i].go);
    raised();
    return true;
  }

  // Regions are told, and their ends counted, by the leaders of clusters.
  bool by_leaders() const { return by_leaders_; }

  uint32_t cluster_count() const { return cluster_count_; }
  uint32_t cluster_of(uint32_t member) const { return member_[member].cluster; }  // below cluster_count()

  // Of the member's cluster.
  uint32_t leader_of(uint32_t member) const { return nodes_[member_[member].cluster].leader; }

  // Its cluster's members: from its leader on.
  uint32_t cluster_size(uint32_t member) const { return nodes_[member_[member].cluster].child_count; }

  template <class Each>
  void for_each_leader(Each each) const {
    for (uint32_t i = cluster_count_; i-- != 0;) each(nodes_[i].leader);
  }

  // Where the end of a member is counted first: members of a cluster end at about the same time, and wait for each other at one
  // line. A few have one of their own, and the last of them counts at the leader's.
  uint32_t counter_of(uint32_t member) const {
    const uint32_t leader = leader_of(member), size = cluster_size(member);
    if (size <= kCountedTogether) return leader;
    const uint32_t group_end = (member - leader) / kCountedTogether * kCountedTogether + kCountedTogether;
    return leader + std::min(group_end, size) - 1;
  }

  // Calls each(member) for the members that `member` tells of a region: the first one tells the other clusters' leaders, a
  // leader the others of its cluster.
  template <class Each>
  void for_each_told_by(uint32_t member, Each each) const {
    if (member == 0)
      for (uint32_t i = cluster_count_ - 1; i != 0; --i) each(nodes_[i].leader);  // the far ones first
    const Node& cluster = nodes_[member_[member].cluster];
    if (cluster.leader != member) return;
    for (uint32_t i = 1; i < cluster.child_count; ++i) each(member + i);
  }

  MeetingTree* next = nullptr;  // among those of one team

 private:
  static constexpr uint32_t kCountedTogether = 4;

  struct TULLE_PAIR_ALIGNED Line {
    std::atomic<uint32_t> number;  // of the barrier that was last reached, counted from `base_`
    // Of the last reduction: for which data were offered here; for which those were taken that this line's readers offered.
    std::atomic<uint32_t> offered, taken;
    uint32_t reductions;  // a flag's: the member's own count
    void* data;           // published by `offered`
  };
  struct Member {
    Line* flag;  // W: the member
    uint32_t cluster;
  };
  struct Node {
    Line* up;    // W: the leader, or whoever does its work
    Line* go;    // W: the leader of the part above, or of the first top; R: the leader
    Line* down;  // of a cluster. W: the leader, or whoever does its work; R: the members
    Line* const* children;  // their flags or ups
    uint32_t child_count;
    uint32_t first_child;   // a node, where it is no cluster
    uint32_t leader;
    uint32_t parent;        // kNone: it is a top
  };
  static constexpr uint32_t kNone = sched::Clusters::kNone;

  MeetingTree() = default;
  bool build(const sched::Clusters& clusters, uint32_t members);
  void place_lines(const sched::Clusters& clusters);
  void link(const sched::Clusters& clusters);

  static bool reached(uint32_t count, uint32_t number) { return static_cast<int32_t>(count - number) >= 0; }
  static bool has_come(const Line& line, uint32_t number) {
    return reached(line.number.load(std::memory_order_acquire), number);
  }
  static bool have_come(Line* const* lines, uint32_t count, uint32_t number) {
    for (uint32_t i = 0; i < count; ++i)
      if (!has_come(*lines[i], number)) return false;
    return true;
  }

  static bool have_offered(Line* const* lines, uint32_t count, uint32_t number) {
    for (uint32_t i = 0; i < count; ++i)
      if (!reached(lines[i]->offered.load(std::memory_order_acquire), number)) return false;
    return true;
  }

  template <class Raised>
  bool climb(uint32_t member, uint32_t barrier, bool whole, Raised raised) {
    const uint32_t number = barrier - base_;
    for (uint32_t at = member_[member].cluster;;) {
      const Node& node = nodes_[at];
      if (!has_come(*node.up, number)) {
        if (!have_come(node.children, node.child_count, number)) return false;
        node.up->number.store(number, std::memory_order_release);  // pairs with have_come
        raised();
      }
      if (node.parent == kNone) {
        if (!have_come(tops_, top_count_, number)) return false;
      } else if (whole || nodes_[node.parent].leader == member) {
        at = node.parent;
        continue;
      } else if (!has_come(*node.go, number)) {
        return false;
      }
      tell(member, number);
      return true;
    }
  }

  // What lies below the parts that `member` leads, and its cluster, learns that all have come.
  void tell(uint32_t member, uint32_t number);

  uint32_t members_ = 0;
  uint32_t base_ = 0;
  bool by_leaders_ = false;
  Member* member_ = nullptr;
  Node* nodes_ = nullptr;
  uint32_t node_count_ = 0, cluster_count_ = 0;
  Line* const* tops_ = nullptr;
  uint32_t top_count_ = 0;
  Line** pointers_ = nullptr;
  void* lines_ = nullptr;
  size_t line_bytes_ = 0;
};

}  // namespace tulle::omp
