// SPDX-License-Identifier: Apache-2.0
// What each worker of a process ran: all that its threads did but wait.
#pragma once

#include <vector>

#include "trace_lanes.h"

namespace tulle::tools {

// By number, with names. A span's worker is the lane's.
std::vector<Lane> worker_lanes(const Picture& picture, std::uint32_t process);

}  // namespace tulle::tools
