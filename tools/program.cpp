// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "elf_file.h"

namespace tulle::tools {
namespace {

constexpr int kMostInterpreters = 4;

bool can_run(const std::string& path) {
  struct stat file {};
  return stat(path.c_str(), &file) == 0 && S_ISREG(file.st_mode) && access(path.c_str(), X_OK) == 0;
}

// As the kernel sees it: rights beyond the caller's own make the loader ignore what the caller set.
bool has_more_rights(const std::string& path) {
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) return false;
  bool as_owner = (file.st_mode & S_ISUID) != 0 && file.st_uid != getuid();
  bool as_group = (file.st_mode & S_ISGID) != 0 && (file.st_mode & S_IXGRP) != 0 && file.st_gid != getgid();
  bool capable = getuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
  return as_owner || as_group || capable;
}

// "#!/usr/bin/env -S python3 -u": python3's file.
std::string interpreter_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!std::getline(file, line) || !line.starts_with("#!")) return "";
  std::istringstream words(line.substr(2));
  std::string word;
  words >> word;
  if (!word.ends_with("/env")) return word;
  while (words >> word)
    if (!word.starts_with('-') && word.find('=') == std::string::npos) return find_program(word);
  return "";
}

std::string name_of_machine(const ElfFile& file) {
  switch (file.machine) {
    case EM_386: return "32-bit x86";
    case EM_X86_64: return file.is_32_bit ? "x32" : "x86-64";
    case EM_AARCH64: return "aarch64";
    case EM_ARM: return "32-bit ARM";
    case EM_RISCV: return "RISC-V";
    case EM_PPC64: return "PowerPC";
    default: return fmt::format("processor type {}", file.machine);
  }
}

Program look_at_elf(const std::string& path, const std::string& shown, const ElfFile& file) {
  using Reach = Program::Reach;
  if (!file.is_native)
    return {Reach::none, fmt::format("{} is built for {}: it runs without Tulle", shown, name_of_machine(file)), ""};
  if (file.loader.find("ld-musl") != std::string::npos)
    return {Reach::none, fmt::format("{} is built on musl's C library, not glibc: it runs without Tulle", shown), ""};
  if (file.loader.empty())
    return {Reach::children_only,
            fmt::format("{} is linked statically: no library can be put under it, only under what it starts", shown), ""};
  if (has_more_rights(path))
    return {Reach::children_only,
            fmt::format("{} runs with more rights than its caller: the loader ignores LD_PRELOAD for it", shown), ""};
  auto asan = std::ranges::find_if(file.needed, [](const std::string& name) { return name.starts_with("libasan.so"); });
  if (asan != file.needed.end())
    return {Reach::with_asan_first,
            fmt::format("{} is built with AddressSanitizer: {} is preloaded before Tulle, into what it starts too",
                        shown, *asan), *asan};
  return {};
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/bin:/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (can_run(candidate)) return candidate;
  }
  return "";
}

Program look_at_program(const std::string& name) {
  std::string path = find_program(name);
  std::string shown = name;
  for (int depth = 0; depth < kMostInterpreters && can_run(path); ++depth) {
    if (auto file = read_elf(path)) return look_at_elf(path, shown, *file);
    path = interpreter_of(path);
    shown = fmt::format("{}, which runs {},", path, name);
  }
  return {};
}

}  // namespace tulle::tools
