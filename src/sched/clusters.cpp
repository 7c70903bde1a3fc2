// SPDX-License-Identifier: Apache-2.0
#include "sched/clusters.h"

#include <cstdlib>
#include <new>

#include "os/cpus.h"

namespace tulle::sched {

namespace {

// The outermost part that the machine divides its memory by.
uint32_t package_of(const topology::Tree& machine, int position) {
  int package = machine.ancestor(machine.leaf(position), topology::Kind::package);
  if (package < 0) package = machine.ancestor(machine.leaf(position), topology::Kind::numa);
  return package < 0 ? 0 : static_cast<uint32_t>(package);
}

int cache_of(const topology::Tree& machine, int position) {
  return machine.ancestor(machine.leaf(position), topology::Kind::last_cache);
}

}  // namespace

int position_of(uint32_t worker, uint32_t count, const topology::Tree& machine) {
  auto cpus = static_cast<uint32_t>(machine.cpu_count());
  return static_cast<int>(count <= cpus ? worker : uint64_t{worker} * cpus / count);
}

topology::TreePtr usable_part(uint32_t workers) {
  const CpuSet allowed = os::allowed_cpus();
  // A caller that is bound itself says nothing about the others.
  if (static_cast<uint32_t>(allowed.count()) < workers) return nullptr;
  return topology::restricted(topology::machine(), allowed);
}

// As many even pieces as it takes.
void Clusters::add_run(uint32_t first, uint32_t end, uint32_t most, uint32_t package, bool of_workers) {
  const uint32_t length = end - first, pieces = (length + most - 1) / most;
  for (uint32_t i = 0; i < pieces; ++i) {
    const uint32_t from = first + static_cast<uint32_t>(uint64_t{length} * i / pieces);
    const uint32_t to = first + static_cast<uint32_t>(uint64_t{length} * (i + 1) / pieces);
    parts_[size_] = {from, to, of_workers ? from : parts_[from].first_worker, kNone, package};
    for (uint32_t child = from; !of_workers && child < to; ++child) parts_[child].parent = size_;
    ++size_;
  }
}

void Clusters::add_clusters(const topology::Tree& machine, uint32_t count) {
  uint32_t caches = 0;
  for (uint32_t first = 0, end; first < count; first = end) {
    const int position = position_of(first, count, machine);
    const int cache = cache_of(machine, position);
    const uint32_t package = package_of(machine, position);
    for (end = first + 1; end < count; ++end) {
      const int other = position_of(end, count, machine);
      if (cache_of(machine, other) != cache || package_of(machine, other) != package) break;
    }
    ++caches;
    add_run(first, end, kMostWorkers, package, true);
  }
  clusters_ = size_;
  share_caches_ = caches > 1 && caches < count;
}

void Clusters::add_level(uint32_t first, uint32_t end, bool within_package) {
  for (uint32_t from = first, to; from < end; from = to) {
    to = from + 1;
    while (to < end && (!within_package || parts_[to].package == parts_[from].package)) ++to;
    add_run(from, to, kMostParts, parts_[from].package, false);
  }
}

Clusters* Clusters::make(const topology::Tree& machine, uint32_t count) {
  void* memory = malloc(sizeof(Clusters));
  // A cluster has a worker or more; the level of packages has as many parts as there are clusters at most, and each of
  // the next ones half as many as the one before.
  auto* parts = static_cast<Part*>(malloc(3 * sizeof(Part) * count));
  if (memory == nullptr || parts == nullptr) {
    ::free(memory);
    ::free(parts);
    return nullptr;
  }
  auto* made = new (memory) Clusters;
  made->parts_ = parts;
  made->add_clusters(machine, count);
  uint32_t first = 0;
  // Packages first; a machine of one, or of many, is divided further.
  for (uint32_t level = 1; made->size_ - first > kMostTops && level < kMostLevels; ++level) {
    const uint32_t end = made->size_;
    made->add_level(first, end, level == 1);
    first = end;
  }
  made->first_top_ = first;
  return made;
}

Clusters* Clusters::make_here(uint32_t count) {
  const topology::TreePtr part = usable_part(count);
  return make(part != nullptr ? *part : topology::machine(), count);
}

void Clusters::free(Clusters* clusters) {
  if (clusters != nullptr) ::free(clusters->parts_);
  ::free(clusters);
}

}  // namespace tulle::sched
