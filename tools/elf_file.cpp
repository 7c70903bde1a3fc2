// SPDX-License-Identifier: Apache-2.0
#include "elf_file.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <fstream>

// This command's own header, in memory: the linker's name for it. There need be no /proc.
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

namespace tulle::tools {
namespace {

constexpr std::size_t kMostSegments = 256, kMostEntries = 4096, kLongestName = 4096;

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Entry = ElfW(Dyn);

class Reader {
 public:
  explicit Reader(const std::string& path) : file_(path, std::ios::binary) {}

  template <class Value>
  bool read(std::uint64_t at, Value* values, std::size_t count = 1) {
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(at));
    file_.read(reinterpret_cast<char*>(values), static_cast<std::streamsize>(count * sizeof *values));
    return file_.good();
  }

  std::string text(std::uint64_t at) {
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(at));
    std::string text;
    for (int c; text.size() < kLongestName && (c = file_.get()) > 0;) text += static_cast<char>(c);
    return text;
  }

 private:
  std::ifstream file_;
};

// Where in the file that lies which is loaded at an address.
std::uint64_t offset_of(const std::vector<Segment>& segments, std::uint64_t address) {
  for (const Segment& segment : segments)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  return 0;
}

std::vector<std::string> needed_by(Reader& reader, const std::vector<Segment>& segments, const Segment& dynamic) {
  std::vector<Entry> entries(std::min<std::size_t>(dynamic.p_filesz / sizeof(Entry), kMostEntries));
  if (!reader.read(dynamic.p_offset, entries.data(), entries.size())) return {};
  std::uint64_t strings = 0;
  for (const Entry& entry : entries)
    if (entry.d_tag == DT_STRTAB) strings = offset_of(segments, entry.d_un.d_ptr);
  std::vector<std::string> names;
  for (const Entry& entry : entries)
    if (entry.d_tag == DT_NEEDED && strings != 0) names.push_back(reader.text(strings + entry.d_un.d_val));
  return names;
}

}  // namespace

std::optional<ElfFile> read_elf(const std::string& path) {
  Reader reader(path);
  Header header{};
  if (!reader.read(0, &header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return std::nullopt;
  const Header& own = __ehdr_start;
  ElfFile found;
  found.machine = header.e_machine;
  found.is_32_bit = header.e_ident[EI_CLASS] == ELFCLASS32;
  found.is_native = header.e_ident[EI_CLASS] == own.e_ident[EI_CLASS] &&
                    header.e_ident[EI_DATA] == own.e_ident[EI_DATA] && header.e_machine == own.e_machine;
  if (!found.is_native) return found;
  if (header.e_phentsize != sizeof(Segment) || header.e_phnum > kMostSegments) return std::nullopt;
  std::vector<Segment> segments(header.e_phnum);
  if (!reader.read(header.e_phoff, segments.data(), segments.size())) return std::nullopt;
  for (const Segment& segment : segments) {
    if (segment.p_type == PT_INTERP) found.loader = reader.text(segment.p_offset);
    if (segment.p_type == PT_DYNAMIC) found.needed = needed_by(reader, segments, segment);
  }
  return found;
}

}  // namespace tulle::tools
