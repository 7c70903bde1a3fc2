// SPDX-License-Identifier: Apache-2.0
// Formats: the kernel's Documentation/ABI/stable/sysfs-devices-system-cpu and sysfs-devices-node. A group is read at
// its first processor only, so that 256 processors take some hundreds of small files and not thousands.
#include "os/processors.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <new>

#include "os/cpus.h"

namespace tulle::os {
namespace {

constexpr int kPathRoom = 1024;
constexpr int kTextRoom = 16 * 1024;
constexpr int kCaches = 10;  // folders cache/index0 and up of one processor
constexpr int kMostNodes = 1024;

class Reader {
 public:
  Reader(const CpuSet& cpus, const GroupSink& sink) : cpus_(cpus), sink_(sink) {}
  ~Reader() {
    if (folder_ >= 0) close(folder_);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // /sys/devices/system below the root. Every name below is relative to it.
  bool enter(const char* root) {
    char path[kPathRoom];
    if (snprintf(path, sizeof path, "%s/sys/devices/system", root) >= kPathRoom) return false;
    folder_ = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return folder_ >= 0;
  }

  void each_processor() {
    for (int cpu = cpus_.first(); cpu >= 0; cpu = cpus_.next(cpu)) {
      if (!packages_.contains(cpu)) package_of(cpu);
      if (!cores_.contains(cpu)) core_of(cpu);
    }
  }

  // A kernel without NUMA has no such folder, and one memory.
  void each_node() {
    if (faccessat(folder_, "node", F_OK, 0) != 0) {
      if (errno == ENOENT) tell(Together::numa_node, 0, 0, cpus_);
      return;
    }
    CpuSet nodes;
    if (!read_text("node/online") || !parse_cpu_list(text_, nodes)) return;
    for (int node = nodes.first(); node >= 0 && node < kMostNodes; node = nodes.next(node)) node_of(node, nodes);
  }

 private:
  // A whole file. Each that is read here ends with a newline, if it was not cut.
  bool read_text(const char* name) {
    int fd = openat(folder_, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    ssize_t got = read(fd, text_, sizeof text_ - 1);
    close(fd);
    if (got <= 0 || text_[got - 1] != '\n') return false;
    text_[got] = '\0';
    return strlen(text_) == static_cast<std::size_t>(got);
  }

  // The number in a file; -1 where there is none.
  int number_in(const char* name) {
    if (!read_text(name)) return -1;
    char* end = nullptr;
    long value = strtol(text_, &end, 10);
    return end != text_ && *end == '\n' && value >= 0 && value <= INT_MAX ? static_cast<int>(value) : -1;
  }

  // A list that holds the processor itself, and none of those that another group of the level has taken.
  bool group_in(const char* name, int cpu, const CpuSet& taken, CpuSet& group) {
    if (!read_text(name) || !parse_cpu_list(text_, group)) return false;
    group &= cpus_;
    CpuSet common = taken;
    common &= group;
    return group.contains(cpu) && common.empty();
  }

  void tell(Together level, int number, int cache_level, const CpuSet& group) {
    sink_.group(sink_.context, ProcessorGroup{level, number, cache_level, group});
  }

  // Kernels before 5.3 know the second name only.
  bool topology_of(int cpu, const char* list, const char* old_list, const CpuSet& taken, CpuSet& group) {
    char name[80];
    snprintf(name, sizeof name, "cpu/cpu%d/topology/%s", cpu, list);
    if (group_in(name, cpu, taken, group)) return true;
    snprintf(name, sizeof name, "cpu/cpu%d/topology/%s", cpu, old_list);
    return group_in(name, cpu, taken, group);
  }

  int topology_number(int cpu, const char* file) {
    char name[80];
    snprintf(name, sizeof name, "cpu/cpu%d/topology/%s", cpu, file);
    return number_in(name);
  }

  void package_of(int cpu) {
    CpuSet group;
    if (!topology_of(cpu, "package_cpus_list", "core_siblings_list", packages_, group)) return;
    packages_ |= group;
    tell(Together::package, topology_number(cpu, "physical_package_id"), 0, group);
  }

  void core_of(int cpu) {
    CpuSet group;
    if (topology_of(cpu, "core_cpus_list", "thread_siblings_list", cores_, group)) {
      tell(Together::core, topology_number(cpu, "core_id"), 0, group);
    } else {
      group = CpuSet{};
      group.add(cpu);
    }
    cores_ |= group;
    caches_of(cpu, group);
  }

  // From the outermost inwards: what one core has alone holds nothing that cores share.
  void caches_of(int cpu, const CpuSet& core) {
    char name[80];
    for (int next = outermost_ + 1; next < kCaches; ++next) {
      snprintf(name, sizeof name, "cpu/cpu%d/cache/index%d", cpu, next);
      if (faccessat(folder_, name, F_OK, 0) != 0) break;
      outermost_ = next;
    }
    for (int index = outermost_; index >= 0; --index)
      if (!caches_[index].contains(cpu) && cache_is_within(core, cpu, index)) return;
  }

  bool cache_is_within(const CpuSet& core, int cpu, int index) {
    char name[80];
    int folder = snprintf(name, sizeof name, "cpu/cpu%d/cache/index%d/", cpu, index);
    std::size_t room = sizeof name - static_cast<std::size_t>(folder);
    snprintf(name + folder, room, "type");
    if (!read_text(name) || (strcmp(text_, "Data\n") != 0 && strcmp(text_, "Unified\n") != 0)) return false;
    snprintf(name + folder, room, "level");
    int level = number_in(name);
    if (level < 1 || level > kCaches) return false;
    snprintf(name + folder, room, "shared_cpu_list");
    CpuSet group;
    if (!group_in(name, cpu, caches_[index], group)) return false;
    caches_[index] |= group;
    tell(Together::cache, -1, level, group);
    CpuSet inside = group;
    inside &= core;
    return inside == group;
  }

  void node_of(int node, const CpuSet& nodes) {
    char name[80];
    CpuSet group;
    snprintf(name, sizeof name, "node/node%d/cpulist", node);
    if (!read_text(name) || !parse_cpu_list(text_, group)) return;
    group &= cpus_;
    CpuSet common = nodes_;
    common &= group;
    if (group.empty() || !common.empty()) return;
    nodes_ |= group;
    tell(Together::numa_node, node, 0, group);
    snprintf(name, sizeof name, "node/node%d/distance", node);
    if (read_text(name)) distances_from(node, nodes);
  }

  // As many numbers as there are nodes, in their order.
  void distances_from(int node, const CpuSet& nodes) {
    const char* at = text_;
    for (int to = nodes.first(); to >= 0; to = nodes.next(to)) {
      char* end = nullptr;
      long distance = strtol(at, &end, 10);
      if (end == at || distance <= 0 || distance > INT_MAX) return;
      sink_.distance(sink_.context, node, to, static_cast<int>(distance));
      at = end;
    }
  }

  const CpuSet cpus_;
  const GroupSink sink_;
  int folder_ = -1;
  int outermost_ = -1;  // the highest index of a cache seen so far
  // What the groups told so far cover.
  CpuSet packages_, cores_, nodes_, caches_[kCaches];
  char text_[kTextRoom];
};

// Not on the stack, which may be small. Null if the kernel's folder is not there.
Reader* open_reader(const char* root, const CpuSet& cpus, const GroupSink& sink) {
  void* block = malloc(sizeof(Reader));
  if (block == nullptr) return nullptr;
  Reader* reader = new (block) Reader(cpus, sink);
  if (reader->enter(root)) return reader;
  reader->~Reader();
  free(block);
  return nullptr;
}

}  // namespace

void each_processor_group(const char* root, const CpuSet& cpus, const GroupSink& sink) {
  Reader* reader = open_reader(root, cpus, sink);
  if (reader == nullptr) return;
  reader->each_node();
  reader->each_processor();
  reader->~Reader();
  free(reader);
}

}  // namespace tulle::os
