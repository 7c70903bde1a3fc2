// SPDX-License-Identifier: Apache-2.0
// What had to wait, with its stack alone or with its OS thread (tulle/introspect.h). Any thread; keeps nothing.
#include "abi/api/extension.h"
#include "sched/spares.h"
#include "sched/workers.h"
#include "tulle/introspect.h"

TULLE_EXTENSION unsigned long long tulle_ults_made(void) {
  return tulle::sched::ults_made();
}

TULLE_EXTENSION void tulle_ask_blocking(void (*answer)(void*, const tulle_blocking*), void* context) {
  const tulle_blocking blocking = {tulle::sched::spares_taken(), 1e-9 * static_cast<double>(tulle::sched::blocked_ns())};
  answer(context, &blocking);
}
