// SPDX-License-Identifier: Apache-2.0
// The page of `tulle stats` as text.
#pragma once

#include <string>
#include <vector>

#include "stats_advice.h"
#include "stats_record.h"

namespace tulle::tools {

// Nanoseconds, as "1.2 ms".
std::string short_time(double ns);

std::string stats_text(const std::vector<ProcessRecord>& processes, const std::vector<Advice>& advice);

}  // namespace tulle::tools
