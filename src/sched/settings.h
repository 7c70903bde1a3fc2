// SPDX-License-Identifier: Apache-2.0
// What the scheduler as a whole goes by.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tulle::sched {

struct Entity;

inline constexpr uint64_t kEndless = UINT64_MAX;

struct Settings {
  int workers = 1;                     // usable cores
  bool follows_cpus = false;           // as many workers as there are CPUs, also when that changes
  uint64_t spin_ns = 0;                // how long a worker polls before it sleeps; kEndless: always
  uint64_t monitor_tick_ns = 2000000;  // period of the monitor while work waits
  size_t stack_size = size_t{8} << 20;
  bool sees_waits = true;  // the C library's (sched/blocking.h)
  uint32_t stack_limit = 0;            // memory::set_stack_limit
  // Called by the monitor, from its own OS thread, for an entity that runs in place (sched/watch.h)
  // while others wait behind it; may be null.
  void (*on_spin)(Entity* entity) = nullptr;
  // The same for one that sleeps in the kernel, and is in no blocking section.
  void (*on_sleep)(Entity* entity) = nullptr;
  // Called by the monitor once a second or less often: memory of a burst may be given back. True: there may be more of
  // it. May be null.
  bool (*on_trim)() = nullptr;
};

const Settings& settings();
void set_settings(const Settings& settings);
void set_spin(uint64_t spin_ns);
// Of the next pool.
void set_workers(int workers);

// To find the machine's topology takes half a megabyte of stack: where stacks are small, who can do without it does.
inline bool stacks_hold_topology() { return settings().stack_size >= size_t{512} << 10; }

}  // namespace tulle::sched
