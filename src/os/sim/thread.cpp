// SPDX-License-Identifier: Apache-2.0
// OS threads of the model: each has a core of its own for good.
#include "os/thread.h"

#include <unistd.h>

#include <cerrno>

#include "arch/simulation.h"
#include "os/report.h"
#include "os/signal_mask.h"

namespace tulle::os {

namespace {

constexpr int kFirstId = 1 << 24;  // above any that a kernel gives

}  // namespace

void report_end_in_region() { fatal("a simulated thread of a region has ended"); }

int start_thread(void* (*entry)(void*), void* argument, Signals, size_t) {
  return tulle_sim_start(entry, argument) == 0 ? 0 : EAGAIN;
}
int start_thread(ThreadStart* start, Signals signals, size_t stack) {
  return start_thread(start->entry, start->argument, signals, stack);
}

void name_thread(const char*) {}
void* started_stack_end(size_t) { return nullptr; }

void keep_signal_mask() {}
uint64_t kept_signal_mask() { return 0; }

int process_id() { return getpid(); }
int kernel_thread_id() { return tulle_sim_core() == 0 ? process_id() : kFirstId + tulle_sim_core(); }

bool is_blocked_in_kernel(int) { return false; }
bool sleeps_in_kernel(int) { return false; }
int cpu_clock_of(int) { return 0; }
uint64_t cpu_time_of(int) { return tulle_sim_now(); }

}  // namespace tulle::os
