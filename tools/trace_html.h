// SPDX-License-Identifier: Apache-2.0
// A trace as one page for a browser, with all that it needs in it.
#pragma once

#include <string>

#include "trace_lanes.h"

namespace tulle::tools {

std::string trace_html(const Picture& picture);

}  // namespace tulle::tools
