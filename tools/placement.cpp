// SPDX-License-Identifier: Apache-2.0
#include "placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

namespace tulle::tools {
namespace {

constexpr const char* kFirstLine = "# tulle placement 1";
constexpr std::string_view kKindOfMembers = "# members ";
constexpr std::size_t kLongestList = 40;  // characters

using Path = std::vector<const Part*>;  // from the machine down to a leaf

void collect_paths(const Part& part, Path& path, std::map<int, Path>& by_cpu) {
  path.push_back(&part);
  if (part.inner.empty()) by_cpu[part.os_index] = path;
  for (const Part& inner : part.inner) collect_paths(inner, path, by_cpu);
  path.pop_back();
}

std::map<int, Path> paths_of(const Part& machine) {
  std::map<int, Path> by_cpu;
  Path path;
  collect_paths(machine, path, by_cpu);
  return by_cpu;
}

std::string numbered(const char* one, const char* several, const std::set<std::int64_t>& numbers) {
  if (numbers.size() == 1) return fmt::format("{} {}", one, *numbers.begin());
  std::string list = number_list({numbers.begin(), numbers.end()});
  if (list.size() <= kLongestList) return fmt::format("{} {}", several, list);
  return fmt::format("{} {}", numbers.size(), several);
}

std::string teams_text(const std::set<std::int64_t>& teams) { return numbered("team", "teams", teams); }

std::string counted(std::uint64_t count, const char* one, const char* several) {
  return count == 1 ? fmt::format("1 {}", one) : fmt::format("{} {}", count, several);
}

// What one leaf ran of one level.
struct Share {
  std::set<std::int64_t> teams, members;
  std::uint64_t entries = 0, count = 0;

  void add(const PlacedMember& placed) {
    teams.insert(placed.team);
    members.insert(placed.member);
    ++entries;
    count += placed.count;
  }
  std::string text() const {
    std::string who = teams.size() == 1 ? numbered("member", "members", members)
                                        : counted(entries, "member", "members");
    return fmt::format("{}, {}, {}", teams_text(teams), who, counted(count, "time", "times"));
  }
};

void remark_on_leaves(const std::map<int, Path>& paths, const std::vector<PlacedMember>& placement,
                      Remarks& remarks) {
  std::map<const Part*, std::map<int, Share>> shares;
  for (const PlacedMember& placed : placement)
    if (auto path = paths.find(placed.cpu); path != paths.end())
      shares[path->second.back()][placed.level].add(placed);
  for (const auto& [leaf, levels] : shares)
    for (const auto& [level, share] : levels)
      remarks[leaf].push_back(fmt::format("level {}: {}", level, share.text()));
}

// The parts around all that ran of one team, from the machine down; empty: something ran elsewhere.
struct Extent {
  int level = 0;
  Path around;
};

std::map<std::int64_t, Extent> extents_of(const std::map<int, Path>& paths,
                                          const std::vector<PlacedMember>& placement) {
  std::map<std::int64_t, Extent> extents;
  for (const PlacedMember& placed : placement) {
    auto path = paths.find(placed.cpu);
    const Path& here = path != paths.end() ? path->second : Path();
    auto [extent, first] = extents.try_emplace(placed.team, Extent{placed.level, here});
    if (first) continue;
    Path& around = extent->second.around;
    around.erase(std::ranges::mismatch(around, here).in1, around.end());
  }
  return extents;
}

void remark_on_larger_parts(const std::map<int, Path>& paths,
                            const std::vector<PlacedMember>& placement, Remarks& remarks) {
  std::map<const Part*, std::map<int, std::set<std::int64_t>>> teams;
  for (const auto& [team, extent] : extents_of(paths, placement))
    if (!extent.around.empty() && !extent.around.back()->inner.empty())
      teams[extent.around.back()][extent.level].insert(team);
  for (const auto& [part, levels] : teams)
    for (const auto& [level, inside] : levels)
      remarks[part].push_back(fmt::format("holds all of {} (level {})", teams_text(inside), level));
}

}  // namespace

std::vector<PlacedMember> read_placement(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line))
    throw Failure("the program left no placement: it ran no region on Tulle, or did not end by itself");
  if (line != kFirstLine)
    throw Failure(fmt::format("{}: \"{}\" instead of \"{}\"", file.string(), line, kFirstLine));
  std::vector<PlacedMember> placement;
  while (std::getline(in, line)) {
    if (line.starts_with(kKindOfMembers)) continue;
    PlacedMember placed;
    std::istringstream fields(line);
    fields >> placed.level >> placed.team >> placed.member >> placed.leaf >> placed.cpu >> placed.count;
    if (!fields || !(fields >> std::ws).eof())
      throw Failure(fmt::format("{}: \"{}\" is no placement", file.string(), line));
    placement.push_back(placed);
  }
  return placement;
}

std::string read_kind_of_members(const std::filesystem::path& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(kKindOfMembers)) return line.substr(kKindOfMembers.size());
  return {};
}

Remarks remarks_on(const Part& machine, const std::vector<PlacedMember>& placement) {
  std::map<int, Path> paths = paths_of(machine);
  Remarks remarks;
  remark_on_larger_parts(paths, placement, remarks);
  remark_on_leaves(paths, placement, remarks);
  return remarks;
}

std::string summary_of(const Part& machine, const std::vector<PlacedMember>& placement) {
  std::map<int, Path> paths = paths_of(machine);
  std::set<int> levels;
  std::set<std::int64_t> teams;
  std::set<std::pair<std::int64_t, std::int64_t>> members;
  std::uint64_t count = 0, elsewhere = 0;
  for (const PlacedMember& placed : placement) {
    levels.insert(placed.level);
    teams.insert(placed.team);
    members.insert({placed.team, placed.member});
    count += placed.count;
    if (!paths.contains(placed.cpu)) elsewhere += placed.count;
  }
  std::string text = fmt::format(
      "{}, {}, {} begun {}", counted(levels.size(), "level", "levels"),
      counted(teams.size(), "team", "teams"), counted(members.size(), "member", "members"),
      counted(count, "time", "times"));
  if (elsewhere > 0) text += fmt::format(", {} of them on no CPU of this machine", elsewhere);
  return text;
}

}  // namespace tulle::tools
