// SPDX-License-Identifier: Apache-2.0
#include "offload/remote/code_place.h"

#include <link.h>
#include <string.h>

#include "os/modules.h"

namespace tulle::offload {

namespace {

class Digest {
 public:
  void add(const char* begin, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) value_ = (value_ ^ static_cast<unsigned char>(begin[i])) * 0x100000001b3;
  }
  uint64_t value() const { return value_ | 1; }

 private:
  uint64_t value_ = 0xcbf29ce484222325;
};

// Of the notes of a module; nothing of it is trusted to be there.
bool add_build_id(Digest& digest, const char* notes, size_t bytes) {
  while (bytes > sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    memcpy(&head, notes, sizeof head);
    size_t name = sizeof head, words = name + ((head.n_namesz + 3) & ~size_t{3});
    size_t end = words + ((head.n_descsz + 3) & ~size_t{3});
    if (end > bytes) return false;
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0) {
      digest.add(notes + words, head.n_descsz);
      return true;
    }
    notes += end;
    bytes -= end;
  }
  return false;
}

const char* begin_of(const dl_phdr_info* info, const ElfW(Phdr)& part) {
  return reinterpret_cast<const char*>(info->dlpi_addr + part.p_vaddr);
}

uint64_t digest_of(const dl_phdr_info* info) {
  Digest digest;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type == PT_NOTE && add_build_id(digest, begin_of(info, part), part.p_memsz)) return digest.value();
  }
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    constexpr unsigned kCode = PF_X | PF_R;
    if (part.p_type == PT_LOAD && part.p_flags == kCode) digest.add(begin_of(info, part), part.p_filesz);
  }
  return digest.value();
}

struct Search {
  CodePlace place;
  uintptr_t address;
};

int find_place(dl_phdr_info* info, size_t, void* argument) {
  auto* search = static_cast<Search*>(argument);
  if (!os::holds(info, search->address)) return 0;
  search->place = {digest_of(info), search->address - info->dlpi_addr};
  return 1;
}

int find_address(dl_phdr_info* info, size_t, void* argument) {
  auto* search = static_cast<Search*>(argument);
  uintptr_t address = info->dlpi_addr + search->place.offset;
  if (!os::holds(info, address) || digest_of(info) != search->place.module) return 0;
  search->address = address;
  return 1;
}

}  // namespace

CodePlace place_of(const void* address) {
  Search search{{0, 0}, reinterpret_cast<uintptr_t>(address)};
  dl_iterate_phdr(find_place, &search);
  return search.place;
}

void* address_of(const CodePlace& place) {
  Search search{place, 0};
  dl_iterate_phdr(find_address, &search);
  return reinterpret_cast<void*>(search.address);
}

}  // namespace tulle::offload
