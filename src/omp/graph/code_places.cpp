// SPDX-License-Identifier: Apache-2.0
#include "omp/graph/code_places.h"

#include <elf.h>
#include <link.h>

#include <algorithm>

#include "os/modules.h"
#include "sync/spinlock.h"

namespace tulle::omp {

namespace {

// The C library does not free its own lock of the list of modules in a child.
TULLE_HELD_AT_FORK sync::Spinlock walking;

size_t aligned(size_t bytes) { return (bytes + 3) & ~size_t{3}; }

BuildId id_in(const char* notes, size_t bytes) {
  BuildId id{};
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    memcpy(&note, notes, sizeof note);
    size_t name = aligned(note.n_namesz), text = aligned(note.n_descsz);
    if (sizeof note + name + text > bytes) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes + sizeof note, "GNU", 4) == 0) {
      id.size = static_cast<uint8_t>(std::min<size_t>(note.n_descsz, BuildId::kMost));
      memcpy(id.bytes, notes + sizeof note + name, id.size);
      break;
    }
    notes += sizeof note + name + text;
    bytes -= sizeof note + name + text;
  }
  return id;
}

BuildId id_of(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info.dlpi_phdr[i];
    if (part.p_type != PT_NOTE) continue;
    BuildId id = id_in(reinterpret_cast<const char*>(info.dlpi_addr + part.p_vaddr), part.p_memsz);
    if (id.size != 0) return id;
  }
  return {};
}

struct Search {
  uintptr_t address;  // wanted where `by_id` is false; else what is found, 0: nothing
  BuildId id;
  bool by_id;
  uint64_t offset;
};

int look_at(dl_phdr_info* info, size_t, void* argument) {
  auto* search = static_cast<Search*>(argument);
  if (search->by_id) {
    if (!(id_of(*info) == search->id)) return 0;
    search->address = info->dlpi_addr + search->offset;
    return os::holds(info, search->address) ? 1 : 0;
  }
  if (!os::holds(info, search->address)) return 0;
  search->id = id_of(*info);
  search->offset = search->address - info->dlpi_addr;
  return 1;
}

bool find(Search& search) {
  sync::Guard guard(walking);
  return dl_iterate_phdr(look_at, &search) != 0;
}

}  // namespace

bool place_of(const void* address, Array<BuildId>& modules, CodePlace& place) {
  Search search{reinterpret_cast<uintptr_t>(address), {}, false, 0};
  find(search);
  for (place.module = 0; place.module < modules.size(); ++place.module)
    if (modules[place.module] == search.id) break;
  place.offset = search.offset;
  return place.module < modules.size() || modules.push(search.id);
}

const void* address_of(const BuildId& module, uint64_t offset) {
  if (module.size == 0) return nullptr;
  Search search{0, module, true, offset};
  return find(search) ? reinterpret_cast<const void*>(search.address) : nullptr;
}

}  // namespace tulle::omp
