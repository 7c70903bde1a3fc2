// SPDX-License-Identifier: Apache-2.0
// What the module libtulle-otf2 offers to the command.
#pragma once

#include "trace_lanes.h"

namespace tulle::tools {

// Writes the archive `folder`/traces.otf2, of a folder that there is not yet. Null, or why it could not, in a text that
// lasts.
using WriteOtf2 = const char*(const Picture& picture, const char* folder);
inline constexpr const char* kWriteOtf2 = "tulle_write_otf2";

}  // namespace tulle::tools
