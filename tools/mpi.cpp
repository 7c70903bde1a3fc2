// SPDX-License-Identifier: Apache-2.0
#include "mpi.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string_view>

#include "elf_file.h"
#include "program.h"
#include "settings.h"

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

// What most programs need and nothing else: no MPI comes with them, and the loader, which takes some milliseconds, need not
// be asked.
constexpr std::array<std::string_view, 17> kWithoutMpi = {
    "libc.so.", "libm.so.", "libmvec.so.", "libpthread.so.", "libdl.so.", "librt.so.", "libutil.so.", "libgcc_s.so.",
    "libstdc++.so.", "libgomp.so.", "libomp.so", "libiomp5.so", "libgfortran.so.", "libquadmath.so.", "libz.so.", "libexpat.so.",
    "ld-linux"};

bool is_without_mpi(const std::string& library) {
  return std::ranges::any_of(kWithoutMpi, [&](std::string_view known) { return library.starts_with(known); });
}

// What the loader would load, as it lists it; nothing of the program runs.
std::string listed(const std::string& loader, const std::string& program) {
  std::string out;
  FILE* pipe = popen(("exec " + quoted(loader) + " --list " + quoted(program) + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return out;
  std::array<char, 4096> part{};
  while (std::size_t length = std::fread(part.data(), 1, part.size(), pipe)) out.append(part.data(), length);
  pclose(pipe);
  return out;
}

}  // namespace

fs::path mpi_object(const std::string& program, const fs::path& folder) {
  std::string file = find_program(program);
  std::optional<ElfFile> found = read_elf(file);
  if (!found || found->loader.empty() || std::ranges::all_of(found->needed, is_without_mpi)) return {};
  if (std::ranges::none_of(kAbis, [&](const Abi& abi) { return fs::exists(folder / abi.object); })) return {};
  std::istringstream lines(listed(found->loader, file));
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(" \t"));
    for (const Abi& abi : kAbis)
      if (line.starts_with(abi.library) && fs::exists(folder / abi.object)) return folder / abi.object;
  }
  return {};
}

}  // namespace tulle::tools
