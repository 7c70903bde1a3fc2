// SPDX-License-Identifier: Apache-2.0
// The host of guests, for the files that call it (sched/guest.h).
#pragma once

#include <atomic>

#include "sched/guest.h"
#include "tulle/host.h"

namespace tulle::sched {

const tulle_ult_host& host();  // where there is one

// For whoever looks without a call: not 0 as soon as there may be one.
const std::atomic<uint32_t>& host_word();

}  // namespace tulle::sched
