// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "trace_lanes.h"

namespace tulle::tools {
namespace {

constexpr const char* kDoingNames[] = {"outside of regions", "work in regions", "tasks", "waits at barriers",
                                       "waits for tasks", "waits for locks", "waits in MPI", "other waits", "ready, not running"};
static_assert(std::size(kDoingNames) == kDoings);

}  // namespace

const char* name_of(Doing doing) { return kDoingNames[static_cast<std::uint32_t>(doing)]; }

std::string name_of(const ProcessTrace& process) {
  const std::string rank = process.rank >= 0 ? fmt::format("rank {}, ", process.rank) : "";
  return fmt::format("{}process {}: {}", rank, process.pid, process.command);
}

}  // namespace tulle::tools
