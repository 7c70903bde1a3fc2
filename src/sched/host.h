// SPDX-License-Identifier: Apache-2.0
// The host of guests, for the files that call it (sched/guest.h).
#pragma once

#include "sched/guest.h"
#include "tulle/host.h"

namespace tulle::sched {

const tulle_ult_host& host();  // where there is one

}  // namespace tulle::sched
