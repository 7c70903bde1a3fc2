// SPDX-License-Identifier: Apache-2.0
#include "os/modules.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

#include "os/keep_errno.h"

namespace tulle::os {

namespace {

// The loader has made addresses of most values; in a section that it could not write they are offsets.
template <class T>
const T* at(const dl_phdr_info* info, const ElfW(Dyn)& entry) {
  uintptr_t value = entry.d_un.d_ptr;
  return reinterpret_cast<const T*>(value < info->dlpi_addr ? value + info->dlpi_addr : value);
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

// The page may belong to a module whose loading goes on: only what is sealed is sealed again. The value is written
// as it stands, by the kernel, which says whether one may.
enum class Page : uint8_t { open, sealed, unknown };

Page page_of(uintptr_t* slot) {
  uintptr_t same = __atomic_load_n(slot, __ATOMIC_RELAXED);
  iovec from{&same, sizeof same}, to{slot, sizeof same};
  if (process_vm_writev(getpid(), &from, 1, &to, 1, 0) == sizeof same) return Page::open;
  return errno == EFAULT ? Page::sealed : Page::unknown;
}

__attribute__((constructor)) void note_when_loaded() { note_last_module(); }

}  // namespace

const link_map* last_noted = nullptr;

// What the C library gives for the program, and for a module, is the loader's record; the reference keeps the loader from
// freeing it.
void note_last_module() {
  auto* last = static_cast<const link_map*>(dlopen(nullptr, RTLD_LAZY));
  if (last == nullptr) return;
  while (last->l_next != nullptr) last = last->l_next;
  if (last != last_noted && dlopen(last->l_name, RTLD_LAZY | RTLD_NOLOAD) == last) set_looked_at(last_noted, last);
}

bool holds(const dl_phdr_info* info, uintptr_t address) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type == PT_LOAD && address - (info->dlpi_addr + part.p_vaddr) < part.p_memsz) return true;
  }
  return false;
}

bool is_this_library(const dl_phdr_info* info) { return holds(info, reinterpret_cast<uintptr_t>(&is_this_library)); }

const ElfW(Dyn)* dynamic_section(const dl_phdr_info* info) {
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      return reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  return nullptr;
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

bool needs(const dl_phdr_info* info, const char* name) {
  const char* names = read_dynamic(info).names;
  const ElfW(Dyn)* entry = dynamic_section(info);
  for (; names != nullptr && entry != nullptr && entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_NEEDED && strcmp(names + entry->d_un.d_val, name) == 0) return true;
  return false;
}

bool any_module_needs(const char* name) {
  return dl_iterate_phdr([](dl_phdr_info* info, size_t, void* wanted) {
    return needs(info, static_cast<const char*>(wanted)) ? 1 : 0;
  }, const_cast<char*>(name)) != 0;
}

// The GNU hash table begins behind them, unless it is empty: then the relocations of what is imported tell.
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

bool replace_import(uintptr_t* slot, uintptr_t value) {
  KeepErrno keep;
  Page page = page_of(slot);
  if (page == Page::unknown) return false;
  auto size = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  auto* begin = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(slot) & ~(size - 1));
  if (page == Page::sealed && mprotect(begin, size, PROT_READ | PROT_WRITE) != 0) return false;
  __atomic_store_n(slot, value, __ATOMIC_RELEASE);  // callers have known the function for long
  if (page == Page::sealed) mprotect(begin, size, PROT_READ);
  return true;
}

}  // namespace tulle::os
