// SPDX-License-Identifier: Apache-2.0
#include "offload/globals.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tulle::offload {

namespace {

constexpr const char* kSection = ".gnu.offload_vars";

// A file, to read the table of its sections, which is not loaded with it.
class MappedFile {
 public:
  explicit MappedFile(const char* path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    off_t size = file >= 0 ? lseek(file, 0, SEEK_END) : 0;
    if (size > 0) {
      size_ = static_cast<size_t>(size);
      void* memory = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      begin_ = memory != MAP_FAILED ? static_cast<const char*>(memory) : nullptr;
    }
    if (file >= 0) close(file);
  }
  ~MappedFile() {
    if (begin_ != nullptr) munmap(const_cast<char*>(begin_), size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Null: the file does not have so much there.
  template <class T>
  const T* at(size_t offset, size_t count = 1) const {
    bool inside = begin_ != nullptr && offset <= size_ && count <= (size_ - offset) / sizeof(T);
    return inside ? reinterpret_cast<const T*>(begin_ + offset) : nullptr;
  }

 private:
  const char* begin_ = nullptr;
  size_t size_ = 0;
};

const ElfW(Shdr)* find_section(const MappedFile& file) {
  const auto* header = file.at<ElfW(Ehdr)>(0);
  if (header == nullptr || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return nullptr;
  const auto* sections = file.at<ElfW(Shdr)>(header->e_shoff, header->e_shnum);
  if (sections == nullptr || header->e_shstrndx >= header->e_shnum) return nullptr;
  const ElfW(Shdr)& names = sections[header->e_shstrndx];
  for (size_t i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_name >= names.sh_size) continue;
    size_t longest = strlen(kSection) + 1;
    const char* name = file.at<char>(names.sh_offset + sections[i].sh_name, longest);
    if (name != nullptr && memcmp(name, kSection, longest) == 0) return &sections[i];
  }
  return nullptr;
}

struct Variable {
  void* address;
  size_t size;
};
constexpr size_t kLinkBit = size_t{1} << (8 * sizeof(size_t) - 1);

bool share(Device& device, const Variable& variable) {
  size_t bytes = variable.size & ~kLinkBit;
  if (bytes == 0 || device.table.find_any(variable.address, bytes) != nullptr) return true;
  bool is_link = (variable.size & kLinkBit) != 0;
  void* there = variable.address;
  if (device.has_own_addresses()) there = device.operations->find(device, variable.address, false);
  if (there == nullptr) return true;
  Mapping* mapping = device.table.insert(variable.address, bytes, there, nullptr, is_link ? 0 : kForEver);
  if (mapping != nullptr) mapping->stays = is_link;
  return mapping != nullptr;
}

// Of one object; nonzero ends the walk.
int collect_of_object(dl_phdr_info* object, size_t, void* argument) {
  auto& all = *static_cast<Array<Variable>*>(argument);
  const char* path = object->dlpi_name[0] != '\0' ? object->dlpi_name : "/proc/self/exe";
  MappedFile file(path);
  const ElfW(Shdr)* section = find_section(file);
  if (section == nullptr || (section->sh_flags & SHF_ALLOC) == 0) return 0;
  const auto* variables = reinterpret_cast<const Variable*>(object->dlpi_addr + section->sh_addr);
  for (size_t i = 0; i < section->sh_size / sizeof(Variable); ++i)
    if (!all.push(variables[i])) return 1;
  return 0;
}

}  // namespace

// The device is asked when the walk, which has the loader's lock, is over.
bool share_globals(Device& device) {
  Array<Variable> all;
  if (dl_iterate_phdr(collect_of_object, &all) != 0) return false;
  for (const Variable& variable : all)
    if (!share(device, variable)) return false;
  return true;
}

}  // namespace tulle::offload
