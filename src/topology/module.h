// SPDX-License-Identifier: Apache-2.0
// The boundary between the runtime and libtulle-topology.so, the one file that is linked with
// hwloc. Plain C types: the module is built beside the runtime and opened by name.
#pragma once

namespace tulle::topology {

// Called by the module for what it finds, with the `builder` that it was given. `kind` is a Kind.
struct ModuleSink {
  void* builder;
  void (*add)(void* builder, int kind, int os_index, int cache_level, int first, int count);
  void (*add_distance)(void* builder, int from_os_index, int to_os_index, int distance);
};

enum ModuleSource : int { kThisMachine, kSynthetic, kXmlFile };

inline constexpr const char* kModuleFile = "libtulle-topology.so";
inline constexpr const char* kModuleEntry = "tulle_topology_describe";

// `text` is the description or the path. Returns 1 if the machine was understood, else 0.
using ModuleDescribe = int (*)(int source, const char* text, const ModuleSink* sink);

}  // namespace tulle::topology
