// SPDX-License-Identifier: Apache-2.0
// The other end: a rank that is a device of rank 0's program. It runs regions on the initial thread, those of the highest
// priority first, which also interrupt one that runs (offload/urgent.h); whoever asks the transport moves data meanwhile.
#pragma once

#include "offload/device.h"
#include "offload/remote/line.h"

namespace tulle::offload {

// How the process becomes one of so many devices. Null: no memory.
using Become = Device* (*)(int number, int devices);

// Until the host ends; then the process ends.
[[noreturn]] TULLE_MAY_SUSPEND void serve_host(Line& line, Become become);

}  // namespace tulle::offload
