// SPDX-License-Identifier: Apache-2.0
// What the operating system says of the process.
#pragma once

#include <string>

namespace tulle::stats {

struct Cpus {
  int usable = 1;
  double quota = 0;  // 0: none
  int quota_version = 0;
  std::string group;
};

// As the runtime counts them.
Cpus cpus();

// Seconds that the process's control group was kept from running; 0 where that is not known.
double throttled_seconds(const Cpus& cpus);

struct Used {
  double user = 0, system = 0;  // seconds
  long gave_way = 0, was_taken = 0;  // times that an OS thread left its processor
};
Used used();

// OS threads that were kept, so far.
struct Blocking {
  double spares = 0, seconds = 0;  // times that one more was called in; waits in the C library
};
Blocking blocking();

// Since the process began.
double age_seconds();

std::string command();

}  // namespace tulle::stats
