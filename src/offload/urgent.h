// SPDX-License-Identifier: Apache-2.0
// Interruption: a region of a higher priority than the one that a device runs begins at the next task scheduling point
// that the latter's initial thread comes to, on top of it.
#pragma once

#include "offload/device.h"

namespace tulle::offload {

// A request of a priority above 0 waits for a device of this process. Any thread.
void want_attention(Device& device);
// The device's OS thread is about to look at all that waits.
void settle_attention(Device& device);

// From now on threads in regions of devices take what is urgent there.
void begin_to_attend();

// The caller's frames are those of the device's initial thread, or of a task in its name.
bool is_in_name_of_root(const omp::Thread* thread);

}  // namespace tulle::offload
