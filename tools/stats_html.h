// SPDX-License-Identifier: Apache-2.0
// The page of `tulle stats` for a browser: one file, with nothing to fetch.
#pragma once

#include <string>
#include <vector>

#include "stats_advice.h"
#include "stats_record.h"

namespace tulle::tools {

std::string stats_html(const std::vector<ProcessRecord>& processes, const std::vector<Advice>& advice);

}  // namespace tulle::tools
