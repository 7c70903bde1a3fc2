// SPDX-License-Identifier: Apache-2.0
// This machine's tree from the kernel's files. The groups that the system tells
// are put into one another, largest first, and processors are ordered so that each group covers a range of them.
// NUMA nodes and packages count only if every processor is in one.
#include <algorithm>

#include "os/cpus.h"
#include "os/processors.h"
#include "topology/array.h"
#include "topology/builder.h"
#include "topology/topology.h"

namespace tulle::topology {
namespace {

struct Group {
  Kind kind;
  int os_index;
  int cache_level;
  int first;   // of its members
  int count;
  int parent;  // the group around it, or -1
  int depth;   // kOutside: it crosses another
};
constexpr int kOutside = -1;

struct Distance {
  int from;
  int to;
  int value;
};

Kind kind_of(os::Together level) {
  switch (level) {
    case os::Together::numa_node: return Kind::numa;
    case os::Together::package: return Kind::package;
    case os::Together::cache: return Kind::cache;
    case os::Together::core: return Kind::core;
  }
  return Kind::cache;
}

class Shape {
 public:
  explicit Shape(const CpuSet& cpus) : cpus_(cpus) {
    for (int cpu = cpus.first(); cpu >= 0; cpu = cpus.next(cpu)) keep(order_.append(cpu));
    for (int cpu = 0; order_.size() > 0 && cpu <= order_[order_.size() - 1]; ++cpu) keep(inner_.append(-1));
  }

  void read(const char* root) {
    os::each_processor_group(
        root, cpus_,
        {this, [](void* shape, const os::ProcessorGroup& group) { static_cast<Shape*>(shape)->add(group); },
         [](void* shape, int from, int to, int distance) {
           static_cast<Shape*>(shape)->keep(static_cast<Shape*>(shape)->distances_.append({from, to, distance}));
         }});
  }

  TreePtr build() {
    if (out_of_memory_ || groups_.size() == 0) return nullptr;
    nest();
    std::sort(order_.begin(), order_.end(), [this](int a, int b) { return before(a, b); });
    Builder builder("sysfs");
    // From here on inner_ holds positions.
    for (int position = 0; position < order_.size(); ++position) {
      inner_[order_[position]] = position;
      builder.add(Kind::cpu, order_[position], 0, position, 1);
    }
    for (const Group& group : groups_)
      if (group.depth != kOutside)
        builder.add(group.kind, group.os_index, group.cache_level, inner_[lowest(group)], group.count);
    for (const Distance& distance : distances_) builder.add_distance(distance.from, distance.to, distance.value);
    return builder.build();
  }

 private:
  void keep(bool appended) { out_of_memory_ |= !appended; }

  void add(const os::ProcessorGroup& told) {
    Group group = {kind_of(told.level), told.number, told.cache_level, members_.size(), 0, -1, 0};
    for (int cpu = told.cpus.first(); cpu >= 0; cpu = told.cpus.next(cpu), ++group.count) keep(members_.append(cpu));
    keep(groups_.append(group));
  }

  int lowest(const Group& group) const { return members_[group.first]; }

  bool covers_all(Kind kind) const {
    int covered = 0;
    for (const Group& group : groups_)
      if (group.kind == kind) covered += group.count;
    return covered == order_.size();
  }

  // Caches stand in caches of a higher level only.
  bool is_below(const Group& group, int around) const {
    for (; group.kind == Kind::cache && around >= 0; around = groups_[around].parent)
      if (groups_[around].kind == Kind::cache && groups_[around].cache_level <= group.cache_level) return false;
    return true;
  }

  // A group has its place if all its members have the same group around them: what came before is no smaller.
  void nest() {
    bool use_nodes = covers_all(Kind::numa), use_packages = covers_all(Kind::package);
    std::sort(groups_.begin(), groups_.end(), [this](const Group& a, const Group& b) {
      if (a.count != b.count) return a.count > b.count;
      if (a.kind != b.kind) return a.kind > b.kind;  // where two cross, the core stays
      if (a.cache_level != b.cache_level) return a.cache_level > b.cache_level;
      return lowest(a) < lowest(b);
    });
    for (int i = 0; i < groups_.size(); ++i) {
      Group& group = groups_[i];
      int around = inner_[lowest(group)];
      bool used = (group.kind != Kind::numa || use_nodes) && (group.kind != Kind::package || use_packages) &&
                  is_below(group, around);
      const int* members = &members_[group.first];
      if (!used || !std::all_of(members, members + group.count, [&](int cpu) { return inner_[cpu] == around; })) {
        group.depth = kOutside;
        continue;
      }
      group.parent = around;
      group.depth = around < 0 ? 0 : groups_[around].depth + 1;
      for (int m = 0; m < group.count; ++m) inner_[members[m]] = i;
    }
  }

  // Below the innermost group that has both, parts stand by their lowest processor.
  bool before(int a, int b) const {
    int part_a = a, part_b = b, group_a = inner_[a], group_b = inner_[b];
    auto depth = [this](int group) { return group < 0 ? -1 : groups_[group].depth; };
    while (group_a != group_b) {
      bool up_a = depth(group_a) >= depth(group_b), up_b = depth(group_b) >= depth(group_a);
      if (up_a) {
        part_a = lowest(groups_[group_a]);
        group_a = groups_[group_a].parent;
      }
      if (up_b) {
        part_b = lowest(groups_[group_b]);
        group_b = groups_[group_b].parent;
      }
    }
    return part_a < part_b;
  }

  const CpuSet& cpus_;
  bool out_of_memory_ = false;
  Array<int> order_;  // processors
  Array<int> inner_;  // by processor: the innermost group so far, or -1
  Array<int> members_;
  Array<Group> groups_;
  Array<Distance> distances_;
};

}  // namespace

TreePtr from_sysfs(const char* root, const CpuSet& also) {
  CpuSet cpus = os::online_cpus(root);
  cpus |= also;
  Shape shape(cpus);
  shape.read(root);
  return shape.build();
}

}  // namespace tulle::topology
