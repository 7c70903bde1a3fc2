// SPDX-License-Identifier: Apache-2.0
// The modules of the process as the dynamic loader lists them, and what their dynamic sections say. Who walks holds
// a lock that is held at fork(): the C library does not free its own one of the list in a child.
#pragma once

#include <link.h>
#include <string.h>

#include <cstddef>
#include <cstdint>

#include "base/cacheline.h"
#include "base/look.h"

namespace tulle::os {

// The last module in the loader's list, to which it appends, if that is the one which was noted last. Null: it is not,
// or is not known. Costs two loads.
extern TULLE_NEAR const link_map* last_noted;  // W: note_last_module(). Stays loaded from then on.
inline const link_map* last_module() {
  const link_map* last = look(last_noted);
  return last != nullptr && look(last->l_next) == nullptr ? last : nullptr;
}

// When this library is loaded, and has loaded another one. Takes the loader's lock, which whoever opens a module holds
// while it is set up.
void note_last_module();

// How many have been loaded; takes the loader's lock for a moment.
inline unsigned long long modules_so_far() {
  unsigned long long adds = 0;
  dl_iterate_phdr([](dl_phdr_info* info, size_t, void* all) {
    *static_cast<unsigned long long*>(all) = info->dlpi_adds;
    return 1;
  }, &adds);
  return adds;
}

// Whether it was loaded there.
bool holds(const dl_phdr_info* info, uintptr_t address);
bool is_this_library(const dl_phdr_info* info);

// Of a module's path, without its folders.
bool name_begins_with_any(const char* path, const auto& prefixes) {
  const char* slash = strrchr(path, '/');
  const char* name = slash == nullptr ? path : slash + 1;
  for (const char* prefix : prefixes)
    if (strncmp(name, prefix, strlen(prefix)) == 0) return true;
  return false;
}

struct Dynamic {
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  const uint32_t* gnu_hash = nullptr;
  const uint32_t* hash = nullptr;
  const ElfW(Rela)* relocations[2] = {};  // of functions that are called, and others
  size_t relocation_bytes[2] = {};
};

const ElfW(Dyn)* dynamic_section(const dl_phdr_info* info);
Dynamic read_dynamic(const dl_phdr_info* info);

// Whether it was linked to a library of that name; whether any module was.
bool needs(const dl_phdr_info* info, const char* name);
bool any_module_needs(const char* name);

// Symbols among which the undefined ones are, the first of all not counted.
uint32_t symbol_count(const Dynamic& dynamic);

// Calls visit(symbol's number, name) for what the module imports, until that returns true.
template <class Visit>
bool visit_imports(const Dynamic& dynamic, Visit visit) {
  if (dynamic.symbols == nullptr || dynamic.names == nullptr) return false;
  uint32_t count = symbol_count(dynamic);
  for (uint32_t i = 1; i < count; ++i)
    if (dynamic.symbols[i].st_shndx == SHN_UNDEF && visit(i, dynamic.names + dynamic.symbols[i].st_name)) return true;
  return false;
}

// Through which a module calls, or takes the address of, what it imports. Stores `value` there, also where the loader
// has sealed the page. False: that cannot be had.
bool replace_import(uintptr_t* slot, uintptr_t value);

}  // namespace tulle::os
