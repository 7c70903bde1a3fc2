// SPDX-License-Identifier: Apache-2.0
// What a program's run left in the file that TULLE_PLACEMENT names: which worker's leaf ran which
// member of which team, how often; and as remarks on the parts of the machine. Pure but for reading.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "draw.h"
#include "library.h"

namespace tulle::tools {

// A team is a running number, by first appearance; a member its number in the team. `cpu`: the
// operating system's number; -1 if the leaf is no CPU's.
struct PlacedMember {
  int level = 0;
  std::int64_t team = 0, member = 0;
  int leaf = 0, cpu = -1;
  std::uint64_t count = 0;
};

// Throws Failure if there is no such file or it holds something else.
std::vector<PlacedMember> read_placement(const std::filesystem::path& file);

// "whole: MODULE imports FUNCTION: REASON", of the members of its teams. Empty where the file does not say.
std::string read_kind_of_members(const std::filesystem::path& file);

// For each leaf, by level, the teams that ran there, and their members if they are few; for each larger
// part, the teams that ran in it, in more than one of its parts, and nowhere else.
Remarks remarks_on(const Part& machine, const std::vector<PlacedMember>& placement);

// "3 levels, 17 teams, 65 members begun 130 times": of all; with what ran on no CPU of the machine.
std::string summary_of(const Part& machine, const std::vector<PlacedMember>& placement);

}  // namespace tulle::tools
