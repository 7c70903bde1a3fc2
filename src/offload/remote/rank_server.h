// SPDX-License-Identifier: Apache-2.0
// The other end: a rank that is a device of rank 0's program. It runs regions one after the other, on the initial thread;
// whoever asks the transport moves data meanwhile.
#pragma once

#include "offload/device.h"
#include "offload/remote/line.h"

namespace tulle::offload {

// Until the host ends; then the process ends. `become` makes the device of that number.
[[noreturn]] TULLE_MAY_SUSPEND void serve_host(Line& line, Device* (*become)(int number));

}  // namespace tulle::offload
