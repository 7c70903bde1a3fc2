// SPDX-License-Identifier: Apache-2.0
// A trace in the JSON format of Chrome's trace viewer, which Perfetto (ui.perfetto.dev) reads.
#pragma once

#include <string>

#include "trace_lanes.h"

namespace tulle::tools {

std::string trace_perfetto(const Picture& picture);

}  // namespace tulle::tools
