// SPDX-License-Identifier: Apache-2.0
// Modules that found the C library's waits before ours, because the runtime came with a library of theirs or was
// opened. Once something waits behind a worker that does not come back, the monitor has what they import from
// there replaced: only functions that do not depend on what was called before. A module that found another
// library's is left alone, and so are the C library and sanitizers.
#include "abi/libc/late.h"

#include <dlfcn.h>
#include <string.h>

#include "arch/relocations.h"
#include "os/modules.h"
#include "sync/spinlock.h"

namespace tulle::libc {

namespace {

// The C library does not free its own lock of the list of modules in a child.
TULLE_HELD_AT_FORK sync::Spinlock looking;
unsigned long long looked_at TULLE_GUARDED_BY(looking) = 0;  // modules loaded so far, at the last look
bool looks_again TULLE_GUARDED_BY(looking) = false;            // one may not have been linked yet

constexpr uint32_t kMost = 32;
uint32_t found_first TULLE_GUARDED_BY(looking) = 0;  // a bit for each replacement: who looks anew finds the C library's

constexpr const char* kLeftAlone[] = {"libc.so", "ld-linux", "linux-vdso", "libasan", "libtsan", "liblsan", "libubsan"};

struct Import {
  uint32_t symbol, replacement;
};

uint32_t find_imports(const os::Dynamic& dynamic, Import* imports) {
  uint32_t found = 0;
  os::visit_imports(dynamic, [&](uint32_t symbol, const char* name) {
    for (uint32_t k = 0; kReplacements[k].name != nullptr; ++k)
      if (name[0] == kReplacements[k].name[0] && strcmp(name, kReplacements[k].name) == 0) imports[found++] = {symbol, k};
    return found == kMost;
  });
  return found;
}

void replace(const dl_phdr_info* info, const ElfW(Rela)& relocation, uint32_t replacement) TULLE_UNDER(looking) {
  const Replacement& ours = kReplacements[replacement];
  auto* slot = reinterpret_cast<uintptr_t*>(info->dlpi_addr + relocation.r_offset);
  uintptr_t value = __atomic_load_n(slot, __ATOMIC_RELAXED);
  void* theirs = next_functions[ours.replaced].load(std::memory_order_relaxed);
  bool first = (found_first >> replacement & 1) != 0;
  if (theirs == nullptr) return;
  // A slot that leads to the module's own code was not called through so far: that has the loader look.
  if (value == reinterpret_cast<uintptr_t>(theirs) || (first && os::holds(info, value)))
    os::replace_import(slot, reinterpret_cast<uintptr_t>(ours.by));
}

int look_at_module(dl_phdr_info* info, size_t, void*) TULLE_UNDER(looking) {
  if (os::name_begins_with_any(info->dlpi_name, kLeftAlone) || os::is_this_library(info)) return 0;
  Import imports[kMost];
  os::Dynamic dynamic = os::read_dynamic(info);
  uint32_t count = find_imports(dynamic, imports);
  for (int table = 0; table < 2 && count != 0; ++table) {
    const ElfW(Rela)* relocation = dynamic.relocations[table];
    const ElfW(Rela)* end = relocation + dynamic.relocation_bytes[table] / sizeof *relocation;
    for (; relocation != end; ++relocation) {
      if (!arch::is_import(ELF64_R_TYPE(relocation->r_info))) continue;
      for (uint32_t i = 0; i < count; ++i)
        if (imports[i].symbol == ELF64_R_SYM(relocation->r_info)) replace(info, *relocation, imports[i].replacement);
    }
  }
  return 0;
}

// Nothing may be looked up while the list of modules is held.
void look_up_all() TULLE_UNDER(looking) {
  found_first = 0;
  for (uint32_t k = 0; kReplacements[k].name != nullptr; ++k) {
    void* first = dlsym(RTLD_DEFAULT, kReplacements[k].name);
    if (first != nullptr && first == next_functions[kReplacements[k].replaced].load(std::memory_order_relaxed))
      found_first |= 1u << k;
  }
}

void bind_late() {
  if (!looking.try_lock()) return;
  unsigned long long so_far = os::modules_so_far();
  bool more = so_far != looked_at;
  if (more || looks_again) {
    looked_at = so_far;
    looks_again = more;
    look_up_all();
    dl_iterate_phdr(look_at_module, nullptr);
  }
  looking.unlock();
}

__attribute__((constructor)) void offer() { sched::see_more_waits = bind_late; }

}  // namespace

}  // namespace tulle::libc
