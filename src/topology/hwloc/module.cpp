// SPDX-License-Identifier: Apache-2.0
// libtulle-topology.so: walks hwloc's topology and hands its parts to the runtime. Keeps nothing.
// hwloc orders processors so that every object covers a range of them; NUMA nodes hang beside the
// tree, at the object whose processors are near them.
#include <hwloc.h>
#include <hwloc/distances.h>
#include <stdlib.h>
#include <unistd.h>

#include "topology/module.h"
#include "topology/topology.h"

namespace tulle::topology {
namespace {

// The Kind of an object; -1 for levels that the tree does not have.
int kind_of(const hwloc_obj* object) {
  switch (object->type) {
    case HWLOC_OBJ_MACHINE: return static_cast<int>(Kind::machine);
    case HWLOC_OBJ_NUMANODE: return static_cast<int>(Kind::numa);
    case HWLOC_OBJ_PACKAGE: return static_cast<int>(Kind::package);
    case HWLOC_OBJ_CORE: return static_cast<int>(Kind::core);
    case HWLOC_OBJ_PU: return static_cast<int>(Kind::cpu);
    default: return hwloc_obj_type_is_dcache(object->type) ? static_cast<int>(Kind::cache) : -1;
  }
}

void report(const ModuleSink& sink, const hwloc_obj* object, int first, int count) {
  int kind = kind_of(object);
  if (kind < 0) return;
  int level = kind == static_cast<int>(Kind::cache) ? static_cast<int>(object->attr->cache.depth) : 0;
  sink.add(sink.builder, kind, static_cast<int>(object->os_index), level, first, count);
}

void report_memory(const ModuleSink& sink, const hwloc_obj* object, int first, int count) {
  for (const hwloc_obj* m = object->memory_first_child; m != nullptr; m = m->next_sibling) {
    report(sink, m, first, count);
    report_memory(sink, m, first, count);
  }
}

// Reports an object and everything below it; returns the number of processors in it.
int report_tree(const ModuleSink& sink, const hwloc_obj* object, int first) {
  int count = object->type == HWLOC_OBJ_PU ? 1 : 0;
  for (const hwloc_obj* child = object->first_child; child != nullptr; child = child->next_sibling)
    count += report_tree(sink, child, first + count);
  report(sink, object, first, count);
  report_memory(sink, object, first, count);
  return count;
}

void report_distances(const ModuleSink& sink, hwloc_topology_t topology) {
  hwloc_distances_s* found = nullptr;
  unsigned number = 1;
  if (hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &number, &found,
                                  HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0 ||
      number == 0)
    return;
  for (unsigned from = 0; from < found->nbobjs; ++from)
    for (unsigned to = 0; to < found->nbobjs; ++to)
      sink.add_distance(sink.builder, static_cast<int>(found->objs[from]->os_index),
                        static_cast<int>(found->objs[to]->os_index),
                        static_cast<int>(found->values[from * found->nbobjs + to]));
  hwloc_distances_release(topology, found);
}

// In a sandbox without it hwloc writes a line to standard error and knows no more than the affinity mask.
bool has_sysfs() { return getenv("HWLOC_FSROOT") != nullptr || access("/sys/devices/system/cpu", R_OK) == 0; }

// hwloc may ask each processor by binding the calling thread to it, which another thread could see.
bool choose_source(hwloc_topology_t topology, int source, const char* text) {
  switch (source) {
    case kThisMachine:
      return has_sysfs() && hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING) == 0;
    case kSynthetic: return hwloc_topology_set_synthetic(topology, text) == 0;
    case kXmlFile: return hwloc_topology_set_xml(topology, text) == 0;
    default: return false;
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int tulle_topology_describe(
    int source, const char* text, const ModuleSink* sink) {
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology) != 0) return 0;
  bool loaded = choose_source(topology, source, text) && hwloc_topology_load(topology) == 0;
  if (loaded) {
    report_tree(*sink, hwloc_get_root_obj(topology), 0);
    report_distances(*sink, topology);
  }
  hwloc_topology_destroy(topology);
  return loaded ? 1 : 0;
}

}  // namespace tulle::topology
