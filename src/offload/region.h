// SPDX-License-Identifier: Apache-2.0
// Target regions on devices: what they map gets its counterparts, a block in the device's memory says where, the
// device calls the region's function with it, and what is mapped goes back.
#pragma once

#include "offload/maps.h"
#include "omp/thread/team.h"

namespace tulle::offload {

struct Region {
  omp::RegionFunction function;
  uint32_t thread_limit;
  Maps maps;  // items are the region's own
};

// Runs it and waits for its end, as TULLE_TARGET_WAIT says. Where the device cannot the host calls the function.
TULLE_MAY_SUSPEND void run_region(Device& device, const Region& region);

// The same for a function that is the device's alone. False: it has not run, and the host's own version of it has
// what it needs.
TULLE_MAY_SUSPEND bool offer_region(Device& device, const Region& region);

// The device has no such function: so in one line, the first time, or the end where the host may not stand in.
void tell_of_lack(Device& device, const void* function);

}  // namespace tulle::offload
