// SPDX-License-Identifier: Apache-2.0
// The parts of an ELF file's header, segments and dynamic section that say how it will be loaded. Reads
// files of this machine's byte order and width; of others the header alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tulle::tools {

struct ElfFile {
  bool is_native = false;  // of this processor and width
  std::uint16_t machine = 0;
  bool is_32_bit = false;
  std::string loader;               // "" if it is linked statically
  std::vector<std::string> needed;  // of DT_NEEDED
};

// Nothing if the file is not of this format, or is broken.
std::optional<ElfFile> read_elf(const std::string& path);

}  // namespace tulle::tools
