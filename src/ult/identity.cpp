// SPDX-License-Identifier: Apache-2.0
// The modules of the process, as the dynamic loader lists them: thread-local variables show in the program
// headers, imports among the dynamic symbols. All headers are looked at before any symbol: a process of
// many modules has the answer there.
#include "ult/identity.h"

#include <link.h>
#include <string.h>

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"
#include "sync/spinlock.h"
#include "ult/exception_state.h"
#include "ult/identity_functions.h"

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

bool begins_with_any(const char* name, const auto& prefixes) {
  for (const char* prefix : prefixes)
    if (strncmp(name, prefix, strlen(prefix)) == 0) return true;
  return false;
}

bool is_system_module(const char* path) {
  const char* name = file_name(path);
  return begins_with_any(name, kSystem) || begins_with_any(name, kOpened);
}

// The runtime's own pointer does not count: it is set anew at each switch.
bool is_this_library(const dl_phdr_info* info) {
  auto here = reinterpret_cast<uintptr_t>(&is_system_module);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const auto& segment = info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && here >= begin && here < begin + segment.p_memsz) return true;
  }
  return false;
}

// What a module's dynamic section says.
struct Dynamic {
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  const uint32_t* gnu_hash = nullptr;
  const uint32_t* hash = nullptr;
  const ElfW(Rela)* relocations[2] = {};
  size_t relocation_bytes[2] = {};
};

const ElfW(Dyn)* dynamic_section(const dl_phdr_info* info) {
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      return reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  return nullptr;
}

// The loader has made addresses of most values; in a section that it could not write they are offsets.
template <class T>
const T* at(const dl_phdr_info* info, const ElfW(Dyn)& entry) {
  uintptr_t value = entry.d_un.d_ptr;
  return reinterpret_cast<const T*>(value < info->dlpi_addr ? value + info->dlpi_addr : value);
}

Dynamic read_dynamic(const dl_phdr_info* info) {
  Dynamic found;
  const ElfW(Dyn)* entry = dynamic_section(info);
  for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_SYMTAB: found.symbols = at<ElfW(Sym)>(info, *entry); break;
      case DT_STRTAB: found.names = at<char>(info, *entry); break;
      case DT_GNU_HASH: found.gnu_hash = at<uint32_t>(info, *entry); break;
      case DT_HASH: found.hash = at<uint32_t>(info, *entry); break;
      case DT_JMPREL: found.relocations[0] = at<ElfW(Rela)>(info, *entry); break;
      case DT_PLTRELSZ: found.relocation_bytes[0] = entry->d_un.d_val; break;
      case DT_RELA: found.relocations[1] = at<ElfW(Rela)>(info, *entry); break;
      case DT_RELASZ: found.relocation_bytes[1] = entry->d_un.d_val; break;
      default: break;
    }
  }
  return found;
}

uint32_t count_by_relocations(const Dynamic& dynamic) {
  uint32_t count = 0;
  for (int table = 0; table < 2; ++table) {
    if (dynamic.relocations[table] == nullptr) continue;
    size_t entries = dynamic.relocation_bytes[table] / sizeof(ElfW(Rela));
    for (size_t i = 0; i < entries; ++i) {
      auto symbol = static_cast<uint32_t>(ELF64_R_SYM(dynamic.relocations[table][i].r_info));
      if (symbol >= count) count = symbol + 1;
    }
  }
  return count;
}

// Symbols among which the undefined ones are. The GNU hash table begins behind them, unless it is empty:
// then the relocations of what is imported tell.
uint32_t symbol_count(const Dynamic& dynamic) {
  if (dynamic.gnu_hash != nullptr) {
    uint32_t buckets = dynamic.gnu_hash[0], first_hashed = dynamic.gnu_hash[1];
    uint32_t bloom_words = dynamic.gnu_hash[2];
    const uint32_t* bucket = dynamic.gnu_hash + 4 + 2 * bloom_words;
    if (buckets > 1 || bucket[0] != 0) return first_hashed;
    return count_by_relocations(dynamic);
  }
  return dynamic.hash != nullptr ? dynamic.hash[1] : count_by_relocations(dynamic);
}

const IdentityFunction* find_function(const char* name) {
  for (const IdentityFunction& function : kIdentityFunctions)
    if (function.name[0] == name[0] && strcmp(function.name, name) == 0) return &function;
  return nullptr;
}

bool needs(const dl_phdr_info* info, const char* name) {
  const char* names = read_dynamic(info).names;
  const ElfW(Dyn)* entry = dynamic_section(info);
  for (; names != nullptr && entry != nullptr && entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_NEEDED && strcmp(names + entry->d_un.d_val, name) == 0) return true;
  return false;
}

bool is_programs(const dl_phdr_info* info, int depth);

struct Needers {
  const char* name;
  int depth;
  bool any = false;
};

int look_at_needer(dl_phdr_info* info, size_t, void* argument) {
  auto& needers = *static_cast<Needers*>(argument);
  if (!needs(info, needers.name)) return 0;
  needers.any = true;
  return is_programs(info, needers.depth + 1) ? 1 : 0;
}

// Not what only harmless modules need: libxml2 is the program's where a module of it needs that, and else may have
// come with a plug-in of hwloc. Modules need each other in short chains; what goes deeper counts.
bool is_programs(const dl_phdr_info* info, int depth) {
  constexpr int kDeepest = 6;
  if (info->dlpi_name[0] == '\0' || depth > kDeepest) return true;
  if (is_system_module(info->dlpi_name) || is_this_library(info)) return false;
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
  Dynamic dynamic = read_dynamic(info);
  if (dynamic.symbols == nullptr || dynamic.names == nullptr) return 0;
  uint32_t count = symbol_count(dynamic);
  for (uint32_t i = 1; i < count; ++i) {
    const ElfW(Sym)& symbol = dynamic.symbols[i];
    if (symbol.st_shndx != SHN_UNDEF) continue;
    const IdentityFunction* found = find_function(dynamic.names + symbol.st_name);
    if (found != nullptr) return conclude(search, info, found->name, found->reason);
  }
  return 0;
}

int look_at_module(dl_phdr_info* info, size_t, void* argument) {
  const auto& search = *static_cast<const Search*>(argument);
  if (is_system_module(info->dlpi_name) || is_this_library(info)) return 0;
  return search.imports ? look_at_imports(info, search) : look_at_variables(info, search);
}

int read_adds(dl_phdr_info* info, size_t, void* argument) {
  *static_cast<unsigned long long*>(argument) = info->dlpi_adds;
  return 1;
}

// The C library does not free its own lock of the list of modules in a child.
TULLE_HELD_AT_FORK sync::Spinlock walking;
unsigned long long scanned_adds TULLE_GUARDED_BY(walking) = 0;
IdentityUse use;                      // W: under walking, once, before `found`
std::atomic<bool> found{false};

bool look_at_modules() {
  Search search{false, &use};
  if (dl_iterate_phdr(look_at_module, &search) != 0) return true;
  search.imports = true;
  return dl_iterate_phdr(look_at_module, &search) != 0;
}

}  // namespace

const IdentityUse* identity_use() {
  bool known = found.load(std::memory_order_acquire);  // pairs with the store below
  if (known && exception_state_known()) return &use;
  sync::Guard guard(walking);
  unsigned long long adds = 0;
  dl_iterate_phdr(read_adds, &adds);
  if (adds != scanned_adds) {
    scanned_adds = adds;
    find_exception_state();
    if (!found.load(std::memory_order_relaxed) && look_at_modules())
      found.store(true, std::memory_order_release);
  }
  return found.load(std::memory_order_relaxed) ? &use : nullptr;
}

}  // namespace tulle::ult
