// SPDX-License-Identifier: Apache-2.0
// Reports of stack overflows before they end the process, and code on a stack that was not to be run before a module
// came that has such. It runs as a signal handler on an alternate stack, so it formats and writes without memory
// of its own.
#include "omp/thread/stack_overflow.h"

#include "memory/stack_pool.h"
#include "omp/thread/team.h"
#include "os/fault.h"
#include "os/report.h"
#include "os/thread.h"

namespace tulle::omp {

namespace {

constexpr uintptr_t kPage = 4096;          // a call or a probe touches no more below the stack pointer
constexpr uintptr_t kSlack = 64 * 1024;    // where exactly a stack of the system's ends is not known

// The size of the overflowed stack of the pool; 0: it was none. A large frame steps over the guard.
size_t overflowed_stack(const Thread* thread, const void* address, const void* stack_pointer) {
  size_t bytes = memory::stack_above_guard(address);
  if (bytes != 0 || thread == nullptr) return bytes;
  const memory::Stack* stack = thread->worker->stack;
  bool of_pool = stack != &thread->worker->native_stack && stack->lowest != nullptr;
  return of_pool && stack_pointer < stack->lowest ? stack->bytes : 0;
}

// The stack that the OS thread began on has no guard of ours.
bool overflowed_native_stack(const Thread* thread, const void* address, const void* stack_pointer) {
  if (thread == nullptr || thread->worker->stack != &thread->worker->native_stack) return false;
  auto end = reinterpret_cast<uintptr_t>(thread->worker->native_stack.lowest);
  auto at = reinterpret_cast<uintptr_t>(address), top = reinterpret_cast<uintptr_t>(stack_pointer);
  return end != 0 && top < end + kSlack && at < end + kSlack && at + kPage >= top;
}

void explain(const void* address, const void* stack_pointer) {
  auto* thread = static_cast<Thread*>(sched::current_of_os_thread());
  bool known = thread != nullptr && thread->team != nullptr;
  if (size_t bytes = overflowed_stack(thread, address, stack_pointer)) {
    if (!known)
      os::report("a stack of %zu KiB has overflowed: set OMP_STACKSIZE to more", bytes / 1024);
    else
      os::report("the stack of %zu KiB of thread %u (nesting level %u) has overflowed: "
                 "set OMP_STACKSIZE to more",
                 bytes / 1024, thread->num, thread->team->level);
  } else if (known && overflowed_native_stack(thread, address, stack_pointer)) {
    bool initial = os::kernel_thread_id() == os::process_id();
    os::report("the stack of %s has overflowed in thread %u (nesting level %u): %s; "
               "OMP_STACKSIZE does not set it",
               initial ? "the initial thread" : "a pthread of the program", thread->num,
               thread->team->level,
               initial ? "set `ulimit -s` to more" : "who creates the pthread sets its size");
  }
}

}  // namespace

void watch_for_overflows() {
  os::answer_faults([](const os::Fault& fault) {
    if (fault.of_code && memory::let_code_run_at(fault.address)) return true;
    explain(fault.address, fault.stack_pointer);
    return false;
  });
}

}  // namespace tulle::omp
