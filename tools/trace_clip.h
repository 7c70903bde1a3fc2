// SPDX-License-Identifier: Apache-2.0
// The last part of a trace.
#pragma once

#include "trace_lanes.h"

namespace tulle::tools {

// What ended more than `length` nanoseconds before the end is left out.
void keep_last(Picture& picture, std::int64_t length);

}  // namespace tulle::tools
