// SPDX-License-Identifier: Apache-2.0
#include "code_names.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <vector>

#include "settings.h"

namespace tulle::tools {
namespace {

std::string answer_of(const std::string& command) {
  std::string out;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  char part[4096];
  while (std::size_t length = std::fread(part, 1, sizeof part, pipe)) out.append(part, length);
  pclose(pipe);
  return out;
}

// Of __omp_offloading_DEVICE_FILE_FUNCTION_lLINE, as Clang names what target regions call.
std::string without_target(const std::string& name) {
  constexpr std::string_view kBegin = "__omp_offloading_";
  if (!name.starts_with(kBegin)) return name;
  const std::size_t file = name.find('_', kBegin.size()), function = name.find('_', file + 1), line = name.rfind("_l");
  if (function == name.npos || line == name.npos || line <= function) return name;
  return name.substr(function + 1, line - function - 1);
}

// A body that a compiler made a function of its own is its function's; "??" is unknown.
std::string function_of(std::string name) {
  name = without_target(name);
  for (const char* mark : {"._omp_fn", ".omp_outlined"})
    if (std::size_t at = name.find(mark); at != std::string::npos) name.erase(at);
  return name == "??" ? "" : name;
}

std::string line_of(const std::string& place) {
  std::string line = place.substr(0, place.find(" (discriminator"));
  line = line.substr(line.rfind('/') + 1);
  return line.starts_with("??") || line.ends_with(":?") ? "" : line;
}

std::string joined(const std::string& function, const std::string& line) {
  if (function.empty()) return line;
  return line.empty() ? function : fmt::format("{} ({})", function, line);
}

// Two lines for each offset.
void look_up_in(const std::string& module, std::map<std::uint64_t, std::string>& offsets) {
  std::string command = fmt::format("addr2line -f -C -e {}", quoted(module));
  for (const auto& [offset, name] : offsets) command += fmt::format(" {:#x}", offset);
  std::istringstream lines(answer_of(command + " 2>/dev/null"));
  for (auto& [offset, name] : offsets) {
    std::string function, place;
    if (!std::getline(lines, function) || !std::getline(lines, place)) return;
    name = joined(function_of(function), line_of(place));
  }
}

}  // namespace

void CodeNames::look_up() {
  for (auto& [module, offsets] : names_)
    if (!module.empty()) look_up_in(module, offsets);
}

std::string CodeNames::name(const std::string& module, std::uint64_t offset) const {
  const std::string& known = names_.at(module).at(offset);
  if (!known.empty()) return known;
  if (module.empty()) return "unknown code";
  return fmt::format("{}+{:#x}", std::filesystem::path(module).filename().string(), offset);
}

}  // namespace tulle::tools
