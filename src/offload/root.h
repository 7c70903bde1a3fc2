// SPDX-License-Identifier: Apache-2.0
// The initial thread that a device's regions run on.
#pragma once

#include "offload/device.h"

namespace tulle::offload {

// It is the calling one from now on, or the initial one that this one is inside of. It is bound to the device's CPUs alone:
// places are the host's, and its regions have none.
void become_root(Device& device);

}  // namespace tulle::offload
