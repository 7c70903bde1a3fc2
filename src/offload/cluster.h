// SPDX-License-Identifier: Apache-2.0
// A device that is a group of this process's CPUs. Its memory is apart from the program's only in that mapped
// data have their counterparts there; variables of `declare target` are the host's own. Its OS thread takes one
// region after the other and is its initial thread.
#pragma once

#include "offload/device.h"

namespace tulle::offload {

// False: there is no OS thread for it.
bool start_cluster(Device& device);

}  // namespace tulle::offload
