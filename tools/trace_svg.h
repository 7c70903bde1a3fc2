// SPDX-License-Identifier: Apache-2.0
// A trace as one picture, for documents.
#pragma once

#include <string>

#include "trace_lanes.h"

namespace tulle::tools {

std::string trace_svg(const Picture& picture);

}  // namespace tulle::tools
