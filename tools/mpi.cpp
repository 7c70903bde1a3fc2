// SPDX-License-Identifier: Apache-2.0
#include "mpi.h"

#include <elf.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

namespace tulle::tools {
namespace {

namespace fs = std::filesystem;

struct Abi {
  std::string_view library;  // begin of the line in which the loader lists it
  const char* object;
};
constexpr std::array<Abi, 3> kAbis = {{{"libmpi.so.40 ", "libtulle-mpi-openmpi.so"},
                                       {"libmpich.so.12 ", "libtulle-mpi-mpich.so"},
                                       {"libmpi.so.12 ", "libtulle-mpi-mpich.so"}}};

// As execvp() finds it; empty where it does not.
fs::path find_program(const std::string& word) {
  if (word.find('/') != std::string::npos) return word;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/bin:/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    fs::path file = fs::path(folder.empty() ? "." : folder) / word;
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

// The loader that the program names; empty for what has none, a script say.
std::string interpreter(const fs::path& program) {
  std::ifstream file(program, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof(header));
  if (!file || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    file.seekg(static_cast<std::streamoff>(header.e_phoff + static_cast<Elf64_Off>(i) * sizeof(segment)));
    file.read(reinterpret_cast<char*>(&segment), sizeof(segment));
    if (!file) return {};
    if (segment.p_type != PT_INTERP) continue;
    std::string name(segment.p_filesz, '\0');
    file.seekg(static_cast<std::streamoff>(segment.p_offset));
    file.read(name.data(), static_cast<std::streamsize>(name.size()));
    return file ? name.c_str() : std::string();
  }
  return {};
}

std::string in_quotes(const std::string& text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// What the loader would load, as it lists it; nothing of the program runs.
std::string listed(const std::string& loader, const fs::path& program) {
  std::string out;
  FILE* pipe = popen((in_quotes(loader) + " --list " + in_quotes(program) + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return out;
  std::array<char, 4096> part{};
  while (std::size_t length = std::fread(part.data(), 1, part.size(), pipe)) out.append(part.data(), length);
  pclose(pipe);
  return out;
}

}  // namespace

fs::path mpi_object(const std::string& program, const fs::path& folder) {
  fs::path file = find_program(program);
  std::string loader = file.empty() ? "" : interpreter(file);
  if (loader.empty()) return {};
  std::istringstream lines(listed(loader, file));
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(" \t"));
    for (const Abi& abi : kAbis)
      if (line.starts_with(abi.library) && fs::exists(folder / abi.object)) return folder / abi.object;
  }
  return {};
}

}  // namespace tulle::tools
