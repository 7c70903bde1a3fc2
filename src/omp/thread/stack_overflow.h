// SPDX-License-Identifier: Apache-2.0
// A stack of the pool that overflows ends the process with a message that names the OpenMP thread.
#pragma once

namespace tulle::omp {

// Once, at the first use of the runtime.
void watch_for_overflows();

}  // namespace tulle::omp
