// SPDX-License-Identifier: Apache-2.0
// A trace as an archive of the Open Trace Format 2, which Vampir, Cube's and Scalasca's tools and otf2-print read.
#pragma once

#include <string>

#include "trace_lanes.h"

namespace tulle::tools {

// Into a folder that must not be there yet. Throws Failure, also where this build has no OTF2.
void write_otf2(const Picture& picture, const std::string& folder);
// Throws Failure where write_otf2 would, before anything has been traced.
void require_otf2(const std::string& folder);

}  // namespace tulle::tools
