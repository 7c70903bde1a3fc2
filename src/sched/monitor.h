// SPDX-License-Identifier: Apache-2.0
// The OS thread that watches over work that waits.
#pragma once

namespace tulle::sched {

// False: the system refuses.
bool start_monitor();

}  // namespace tulle::sched
