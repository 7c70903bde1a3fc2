// SPDX-License-Identifier: Apache-2.0
// Blocking sections of the extension API (include/tulle/blocking.h). Any thread, in no signal handler.
#include "sched/blocking.h"

#include "abi/api/extension.h"

TULLE_EXTENSION void tulle_blocking_begin() {
  tulle::sched::begin_blocking(tulle::sched::Caller::thread);
}

TULLE_EXTENSION void tulle_blocking_end() { tulle::sched::end_blocking(); }
