// SPDX-License-Identifier: Apache-2.0
// Code by the build id of its module and an offset there. Any thread, but not in a fork.
#pragma once

#include "omp/graph/recorded_graph.h"

namespace tulle::omp {

// Where the address is; the module is entered into `modules` if need be. False: no memory. A module without a
// build id is found nowhere else.
bool place_of(const void* address, Array<BuildId>& modules, CodePlace& place);

// The address in this process; null: the module is not loaded.
const void* address_of(const BuildId& module, uint64_t offset);

}  // namespace tulle::omp
