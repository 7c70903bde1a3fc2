// SPDX-License-Identifier: Apache-2.0
// A device that is a process, forked from this one when devices are made: functions have the same addresses there,
// and so has its memory, which the host deals out and reaches too. All else is apart: variables of `declare target`
// begin as they were at the fork, and are copied where the program maps or updates them.
#pragma once

#include "offload/device.h"

namespace tulle::offload {

// False: there is no memory, process or OS thread for it. In the new process in_child() is called first; it does
// not come back.
bool start_process(Device& device, void (*in_child)());

// At the end of this process.
void end_process(Device& device);

}  // namespace tulle::offload
