// SPDX-License-Identifier: Apache-2.0
// Copies between the host and what is mapped, and pointers in mapped data. A pointer that is attached keeps its
// own value on each side, whatever is copied over it (OpenMP 5.2 §5.8.6). The device's lock is held.
#pragma once

#include "offload/device.h"

namespace tulle::offload {

// All of these bytes are in the mapping.
void copy_in(Device& device, const Mapping& mapping, const void* address, size_t bytes);
void copy_out(Device& device, const Mapping& mapping, const void* address, size_t bytes);

// The pointer at `address` points to mapped data, `bias` bytes from what it says, or to null. Once more than
// before if it does already; for as long as its range is mapped with kForEver. Nothing if the pointer is not
// mapped; false: nothing was done because what it points to is not mapped.
bool attach(Device& device, const void* address, size_t bias, uint64_t count = 1);

// All that leave_to_host() left is the device's again.
void bring_back(Device& device);

// Once less; `for_good`: not any more. At last the pointer is on the device what it is here.
void detach(Device& device, const void* address, bool for_good);

}  // namespace tulle::offload
