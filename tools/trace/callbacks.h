// SPDX-License-Identifier: Apache-2.0
// The part of the tool that the runtime calls.
#pragma once

#include "omp/tool/interface.h"

namespace tulle::trace {

void register_callbacks(omp::tool::Lookup lookup);

}  // namespace tulle::trace
