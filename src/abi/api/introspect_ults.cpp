// SPDX-License-Identifier: Apache-2.0
// How many ULTs were made (tulle/introspect.h). Any thread; keeps nothing.
#include "abi/api/extension.h"
#include "sched/workers.h"
#include "tulle/introspect.h"

TULLE_EXTENSION unsigned long long tulle_ults_made(void) {
  return tulle::sched::ults_made();
}
