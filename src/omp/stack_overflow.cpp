// SPDX-License-Identifier: Apache-2.0
// What a stack overflow says before it ends the process. It runs as a signal handler on an alternate
// stack, so it formats and writes without memory of its own.
#include "omp/stack_overflow.h"

#include "memory/stack_pool.h"
#include "omp/team.h"
#include "os/fault.h"
#include "os/report.h"

namespace tulle::omp {

namespace {

void explain(const void* address) {
  size_t bytes = memory::stack_above_guard(address);
  if (bytes == 0) return;
  Thread* thread = self();
  if (thread == nullptr || thread->team == nullptr)
    os::report("a stack of %zu KiB has overflowed: set OMP_STACKSIZE to more", bytes / 1024);
  else
    os::report("the stack of %zu KiB of thread %u (nesting level %u) has overflowed: "
               "set OMP_STACKSIZE to more",
               bytes / 1024, thread->num, thread->team->level);
}

}  // namespace

void watch_for_overflows() { os::explain_faults(explain); }

}  // namespace tulle::omp
