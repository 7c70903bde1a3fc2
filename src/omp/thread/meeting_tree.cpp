// SPDX-License-Identifier: Apache-2.0
#include "omp/thread/meeting_tree.h"

#include <cstdlib>
#include <new>

#include "os/memory.h"
#include "sched/memory_nodes.h"

namespace tulle::omp {

namespace {

template <class T>
T* allocate(size_t count) {
  return static_cast<T*>(malloc(count * sizeof(T)));
}

}  // namespace

// Lines are zero as the system maps them, and nobody has touched them. Those of other packages look at them too, and may come
// first: so they are placed.
void MeetingTree::place_lines(const sched::Clusters& clusters) {
  const auto nodes = sched::WorkerNodes::here(members_);
  auto* block = static_cast<char*>(lines_);
  for (uint32_t from = 0, to; from < cluster_count_; from = to) {
    to = from;
    auto* next = reinterpret_cast<Line*>(block);
    const uint32_t package = clusters[from].package;
    for (; to < cluster_count_ && clusters[to].package == package; ++to)
      for (uint32_t member = clusters[to].first; member < clusters[to].end; ++member)
        member_[member] = {next++, to};
    for (uint32_t i = 0; i < node_count_; ++i) {
      if (clusters[i].first_worker < clusters[from].first || clusters[i].first_worker >= clusters[to - 1].end) continue;
      nodes_[i].up = next++;
      nodes_[i].go = next++;
      nodes_[i].down = i < cluster_count_ ? next++ : nullptr;
    }
    const size_t bytes = os::whole_pages(static_cast<size_t>(reinterpret_cast<char*>(next) - block));
    sched::put_at_node(block, bytes, nodes.of(clusters[from].first));
    block += bytes;
  }
}

void MeetingTree::link(const sched::Clusters& clusters) {
  Line** next = pointers_;
  for (uint32_t i = 0; i < node_count_; ++i) {
    const sched::Clusters::Part& part = clusters[i];
    Node& node = nodes_[i];
    node.children = next;
    node.child_count = part.end - part.first;
    node.first_child = part.first;
    node.leader = part.first_worker;
    node.parent = part.parent;
    for (uint32_t child = part.first; child < part.end; ++child)
      *next++ = i < cluster_count_ ? member_[child].flag : nodes_[child].up;
  }
  tops_ = next;
  top_count_ = node_count_ - clusters.first_top();
  for (uint32_t i = clusters.first_top(); i < node_count_; ++i) *next++ = nodes_[i].up;
}

bool MeetingTree::build(const sched::Clusters& clusters, uint32_t members) {
  members_ = members;
  node_count_ = clusters.size();
  cluster_count_ = clusters.cluster_count();
  member_ = allocate<Member>(members);
  nodes_ = allocate<Node>(node_count_);
  // Each member and each node is a child, or a top.
  pointers_ = allocate<Line*>(members + node_count_);
  uint32_t packages = 1;
  for (uint32_t i = 1; i < cluster_count_; ++i) packages += clusters[i].package != clusters[i - 1].package ? 1 : 0;
  line_bytes_ = os::whole_pages((members + 3 * size_t{node_count_}) * sizeof(Line)) + packages * os::page_size();
  lines_ = os::map_memory(line_bytes_);
  if (member_ == nullptr || nodes_ == nullptr || pointers_ == nullptr || lines_ == nullptr) return false;
  place_lines(clusters);
  link(clusters);
  return true;
}

MeetingTree* MeetingTree::make(const sched::Clusters& clusters, uint32_t members, uint32_t first, bool by_leaders) {
  void* memory = malloc(sizeof(MeetingTree));
  if (memory == nullptr) return nullptr;
  auto* tree = new (memory) MeetingTree;
  tree->base_ = first - 1;
  tree->by_leaders_ = by_leaders;
  if (tree->build(clusters, members)) return tree;
  free(tree);
  return nullptr;
}

void MeetingTree::free(MeetingTree* tree) {
  if (tree->lines_ != nullptr) os::unmap_memory(tree->lines_, tree->line_bytes_);
  ::free(tree->pointers_);
  ::free(tree->nodes_);
  ::free(tree->member_);
  ::free(tree);
}

// The far ones first.
void MeetingTree::tell(uint32_t member, uint32_t number) {
  uint32_t path[sched::Clusters::kMostLevels], depth = 0;
  for (uint32_t at = member_[member].cluster; at != kNone && nodes_[at].leader == member; at = nodes_[at].parent)
    path[depth++] = at;
  for (; depth > 1; --depth) {
    const Node& node = nodes_[path[depth - 1]];
    for (uint32_t i = 1; i < node.child_count; ++i)
      nodes_[node.first_child + i].go->number.store(number, std::memory_order_release);  // pairs with climb
  }
  // Pairs with advance. Others may have told the cluster already.
  Line& down = *nodes_[member_[member].cluster].down;
  if (!has_come(down, number)) down.number.store(number, std::memory_order_release);
}

}  // namespace tulle::omp
