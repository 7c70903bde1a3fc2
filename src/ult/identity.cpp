// SPDX-License-Identifier: Apache-2.0
// The modules of the process, as the dynamic loader lists them: thread-local variables show in the program
// headers, imports among the dynamic symbols. All headers are looked at before any symbol: a process of
// many modules has the answer there.
#include "ult/identity.h"

#include <string.h>

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"
#include "os/modules.h"
#include "sync/spinlock.h"
#include "ult/exception_state.h"
#include "ult/identity_functions.h"
#include "ult/port.h"

namespace tulle::ult {

namespace {

const char* file_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

// The runtimes of languages, whose state for each thread the scheduler carries by value or that hold none
// between calls, and what comes with the topology module.
constexpr const char* kSystem[] = {
    "libc.so",      "libc-2",     "ld-linux",     "libm.so",        "libmvec.so",     "libdl.so",    "libpthread.so",
    "librt.so",     "linux-vdso", "libresolv.so", "libnss_",        "libstdc++.so",   "libgcc_s.so", "libc++.so",
    "libc++abi.so", "libatomic",  "libgfortran",  "libquadmath.so", "libflang_rt",    "libhwloc.so", "libudev.so",
    "libcap.so",    "libOpenCL",  "libnuma.so",   "libz.so",        "libtulle"};

// Open MPI and MPICH, and what they, hwloc and their transports open by themselves. A thread is theirs for the
// length of a call, in which it does not suspend: what blocks does so outside of them, or keeps its worker.
constexpr const char* kOpened[] = {
    "libmpi",  "libopen-rte", "libopen-pal", "liboshmem", "mca_",   "libmca_",
    "libompi", "libuct_",     "libucx_",     "libmlx",    "hwloc_", "pmix_mca_"};

bool is_system_module(const char* path) {
  return os::name_begins_with_any(path, kSystem) || os::name_begins_with_any(path, kOpened) ||
         os::name_begins_with_any(path, port::kModules);
}

const IdentityFunction* find_function(const char* name) {
  for (const IdentityFunction& function : kIdentityFunctions)
    if (function.name[0] == name[0] && strcmp(function.name, name) == 0) return &function;
  return nullptr;
}

bool is_programs(const dl_phdr_info* info, int depth);

struct Needers {
  const char* name;
  int depth;
  bool any = false;
};

int look_at_needer(dl_phdr_info* info, size_t, void* argument) {
  auto& needers = *static_cast<Needers*>(argument);
  if (!os::needs(info, needers.name)) return 0;
  needers.any = true;
  return is_programs(info, needers.depth + 1) ? 1 : 0;
}

// Not what only harmless modules need: libxml2 is the program's where a module of it needs that, and else may have
// come with a plug-in of hwloc. Modules need each other in short chains; what goes deeper counts.
bool is_programs(const dl_phdr_info* info, int depth) {
  constexpr int kDeepest = 6;
  if (info->dlpi_name[0] == '\0' || depth > kDeepest) return true;
  if (is_system_module(info->dlpi_name) || os::is_this_library(info)) return false;
  Needers needers{file_name(info->dlpi_name), depth};
  return dl_iterate_phdr(look_at_needer, &needers) != 0 || !needers.any;
}

struct Search {
  bool imports = false;  // else thread-local variables
  IdentityUse* use = nullptr;
};

// Another module is looked at if this one is not the program's.
int conclude(const Search& search, const dl_phdr_info* info, const char* name, const char* reason) {
  if (!is_programs(info, 0)) return 0;
  // The initial program has no name here.
  const char* module = info->dlpi_name[0] == '\0' ? "the program" : file_name(info->dlpi_name);
  size_t length = strlen(module), room = sizeof search.use->module - 1;
  strcpy(search.use->module, length > room ? module + length - room : module);
  search.use->name = name;
  search.use->reason = reason;
  return 1;
}

int look_at_variables(const dl_phdr_info* info, const Search& search) {
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_phdr[i].p_memsz != 0)
      return conclude(search, info, nullptr, "thread-local variables");
  return 0;
}

int look_at_imports(const dl_phdr_info* info, const Search& search) {
  return os::visit_imports(os::read_dynamic(info), [&](uint32_t, const char* name) {
    const IdentityFunction* found = find_function(name);
    return found != nullptr && conclude(search, info, found->name, found->reason) != 0;
  });
}

int look_at_module(dl_phdr_info* info, size_t, void* argument) {
  const auto& search = *static_cast<const Search*>(argument);
  if (is_system_module(info->dlpi_name) || os::is_this_library(info)) return 0;
  return search.imports ? look_at_imports(info, search) : look_at_variables(info, search);
}

// The C library does not free its own lock of the list of modules in a child.
TULLE_HELD_AT_FORK sync::Spinlock looking;
unsigned long long scanned TULLE_GUARDED_BY(looking) = 0;
IdentityUse use;  // W: under looking, once, before identity_is_used

bool look_at_modules() {
  Search search{false, &use};
  if (dl_iterate_phdr(look_at_module, &search) != 0) return true;
  search.imports = true;
  return dl_iterate_phdr(look_at_module, &search) != 0;
}

}  // namespace

std::atomic<bool> identity_is_used{false};                 // release: `use` is written
std::atomic<const link_map*> looked_up_to{nullptr};  // release: so is identity_is_used

const IdentityUse* identity_use() {
  const bool used = identity_is_used.load(std::memory_order_acquire);  // pairs with the store below
  if ((used && exception_state_known()) || modules_are_known())
    return identity_is_used.load(std::memory_order_relaxed) ? &use : nullptr;
  const link_map* last = os::last_module();
  sync::Guard guard(looking);
  unsigned long long so_far = os::modules_so_far();
  if (so_far != scanned) {
    scanned = so_far;
    find_exception_state();
    if (!identity_is_used.load(std::memory_order_relaxed) && look_at_modules())
      identity_is_used.store(true, std::memory_order_release);
  }
  looked_up_to.store(last, std::memory_order_release);
  return identity_is_used.load(std::memory_order_relaxed) ? &use : nullptr;
}

}  // namespace tulle::ult
