// SPDX-License-Identifier: Apache-2.0
// The sums of all threads, and the file that they end in.
#pragma once

#include "process.h"
#include "ticks.h"

namespace tulle::stats {

// When the counting began.
struct Began {
  Moment moment;
  double age = age_seconds();  // of the process then
  Cpus usable = cpus();
  double throttled = throttled_seconds(usable);
  Used used = stats::used();
  Blocking blocking = stats::blocking();
};

// One JSON file for this process in `folder`. What cannot be written is reported, in one line.
void write_record(const char* folder, const Began& began);

// The sums begin anew. One thread.
void forget_totals();

}  // namespace tulle::stats
