// SPDX-License-Identifier: Apache-2.0
// How many ULTs were made (tulle/introspect.h). Any thread; keeps nothing.
#include "sched/scheduler.h"
#include "tulle/introspect.h"

extern "C" __attribute__((visibility("default"))) unsigned long long tulle_ults_made(void) {
  return tulle::sched::ults_made();
}
