// SPDX-License-Identifier: Apache-2.0
// Variables of `declare target` directives in code that GCC compiled: its tables say where they are
// (section .gnu.offload_vars: address and size of each, the size's top bit set for `link`).
#pragma once

#include "offload/device.h"

namespace tulle::offload {

// All of them are mapped for good, each to itself where host and device have the same addresses: code names them. Those of `link` have a
// counterpart at any time, and a value there only while they are mapped. False: there is no memory to keep that.
bool share_globals(Device& device);

}  // namespace tulle::offload
