// SPDX-License-Identifier: Apache-2.0
// This machine's tree, from the kernel's files, and trees that hwloc describes. Its module lies beside the runtime and
// is opened at the first need; it stays open. Of this machine it is asked where the kernel's files tell nothing, or
// where variables of its own name say how it should see the machine: it takes 6 ms where the files take 0.1.
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <utility>

#include "base/contract.h"
#include "os/cpus.h"
#include "os/object_file.h"
#include "os/report.h"
#include "os/secure.h"
#include "sync/spinlock.h"
#include "topology/builder.h"
#include "topology/module.h"
#include "topology/topology.h"

namespace tulle::topology {
namespace {

// Opening it twice from two threads gives the same module: dlopen counts.
ModuleDescribe open_module() {
  void* module = os::load_beside(kModuleFile);
  if (module == nullptr) return nullptr;
  return reinterpret_cast<ModuleDescribe>(dlsym(module, kModuleEntry));
}

TreePtr describe(ModuleSource source, const char* label, const char* text) {
  ModuleDescribe module = open_module();
  if (module == nullptr) return nullptr;
  Builder builder(label);
  ModuleSink sink = {
      &builder,
      [](void* b, int kind, int os_index, int cache_level, int first, int count) {
        static_cast<Builder*>(b)->add(static_cast<Kind>(kind), os_index, cache_level, first, count);
      },
      [](void* b, int from, int to, int distance) {
        static_cast<Builder*>(b)->add_distance(from, to, distance);
      }};
  if (module(source, text, &sink) == 0) return nullptr;
  return builder.build();
}

// A child that is forked while another thread opens the module could open nothing any more.
TULLE_HELD_AT_FORK sync::Spinlock loading;

bool has_words_for_hwloc() {
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    if (strncmp(*variable, "HWLOC_", 6) == 0) return true;
  return false;
}

std::atomic<const Tree*> kept{nullptr};  // W: machine()

// hwloc loads what variables of its own name: nothing for a process whose environment is a stranger's.
TreePtr describe_machine() {
  const bool may_ask = !os::has_more_rights_than_caller();
  const bool has_words = has_words_for_hwloc();
  if (has_words && !may_ask)
    os::report("the variables of hwloc (HWLOC_*) are ignored: the process has rights that who started it may lack");
  const bool asks_first = may_ask && has_words;
  TreePtr tree = asks_first ? from_hwloc() : nullptr;
  if (tree != nullptr) return tree;
  CpuSet allowed = os::allowed_cpus();
  tree = from_sysfs("", allowed);
  if (tree == nullptr && may_ask && !asks_first) tree = from_hwloc();
  return tree != nullptr ? std::move(tree) : from_cpus(allowed);
}

}  // namespace

TreePtr from_hwloc() { return describe(kThisMachine, "hwloc", nullptr); }

TreePtr from_synthetic(const char* description) {
  return describe(kSynthetic, "synthetic", description);
}

TreePtr from_xml(const char* path) { return describe(kXmlFile, "xml", path); }

bool machine_is_known() { return kept.load(std::memory_order_relaxed) != nullptr; }

const Tree& machine() {
  const Tree* tree = kept.load(std::memory_order_acquire);  // pairs with the store below
  if (tree != nullptr) return *tree;
  sync::Guard guard(loading);
  tree = kept.load(std::memory_order_relaxed);  // ordered by the lock
  if (tree != nullptr) return *tree;
  TreePtr mine = describe_machine();
  TULLE_REQUIRE(mine != nullptr);
  tree = mine.release();
  kept.store(tree, std::memory_order_release);
  return *tree;
}

}  // namespace tulle::topology
