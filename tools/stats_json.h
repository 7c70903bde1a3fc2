// SPDX-License-Identifier: Apache-2.0
// What `tulle stats` found as JSON, for other programs. Times are nanoseconds.
#pragma once

#include <string>
#include <vector>

#include "stats_advice.h"
#include "stats_record.h"

namespace tulle::tools {

std::string stats_json(const std::vector<ProcessRecord>& processes, const std::vector<Advice>& advice);

}  // namespace tulle::tools
