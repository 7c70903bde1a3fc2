// SPDX-License-Identifier: Apache-2.0
// Whether another worker goes by the calling one's core: on a busy machine the operating system may give one core to
// two of them, and what one polls for then comes from the other, which does not run meanwhile. Each worker that waits
// leaves its number at its core; who finds another one's there gives the core up at once.
#pragma once

#include "sched/worker.h"

namespace tulle::sched {

// `worker` is the calling OS thread's, and waits for others. A hint, which costs some nanoseconds.
bool shares_core(Worker* worker);

}  // namespace tulle::sched
