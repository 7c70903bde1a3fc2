// SPDX-License-Identifier: Apache-2.0
// What a program does wrong, or cannot have: each ends the process with one line.
#pragma once

#include "offload/device.h"

namespace tulle::offload {

[[noreturn]] void not_present(const Device& device, const void* address, size_t bytes);
[[noreturn]] void overlaps(const Device& device, const void* address, size_t bytes, const Mapping& other);
[[noreturn]] void not_with_its_structure(const Device& device, const void* address, size_t bytes);
// A region of the device asks for the host.
[[noreturn]] void refuse_reverse(const Device& device);

}  // namespace tulle::offload
