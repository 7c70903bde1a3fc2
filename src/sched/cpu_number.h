// SPDX-License-Identifier: Apache-2.0
// Numbers of CPUs for libraries that keep something for each CPU and touch it without locks, as TAMPI 4 does with its
// queues. They are written for runtimes that bind one OS thread to each CPU: whoever is told a number is alone with it
// until it calls the runtime again. Here OS threads move, and may be more than CPUs. So a number is a worker's
// until another one wants it and the first has moved on: has made a step, sleeps, or is in a blocking section.
#pragma once

#include <cstdint>

namespace tulle::sched {

struct Worker;

// Below `count`, which is the same for all calls. The caller is w's OS thread; it waits where all numbers are in use.
uint32_t cpu_number(Worker* w, uint32_t count);

}  // namespace tulle::sched
