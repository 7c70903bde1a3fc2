// SPDX-License-Identifier: Apache-2.0
// Which processors lie together, as the kernel's files tell. Every call reads them anew and keeps nothing; any thread
// may call. What is missing, cut or not understood is left out without a word: a list that ends in no newline, one
// without the processor that it belongs to, one that overlaps another of its level.
#pragma once

#include "base/cpu_set.h"

namespace tulle::os {

enum class Together { numa_node, package, cache, core };

struct ProcessorGroup {
  Together level;
  int number;       // the kernel's, or -1
  int cache_level;  // of a cache: 1 and up
  CpuSet cpus;
};

struct GroupSink {
  void* context;
  void (*group)(void* context, const ProcessorGroup& group);
  void (*distance)(void* context, int from_node, int to_node, int distance);
};

// Tells the groups among `cpus`, in any order. Caches below one that belongs to a single core are not asked for, as
// they would only repeat the core. `root` stands before every path ("" for the running system).
void each_processor_group(const char* root, const CpuSet& cpus, const GroupSink& sink);

}  // namespace tulle::os
