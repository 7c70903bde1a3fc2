// SPDX-License-Identifier: Apache-2.0
#include "os/visitor.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>

#include "arch/system_call.h"
#include "os/keep_errno.h"
#include "os/signal_mask.h"

namespace tulle::os {

namespace {

// The kernel wakes who waits for an OS thread's end as it does for waiters in other processes.
long futex(const std::atomic<uint32_t>& word, int operation, uint32_t value) {
  return arch::system_call(SYS_futex, reinterpret_cast<long>(&word), operation, value, 0);
}

}  // namespace

bool start_visitor(int (*run)(void*), void* top, uintptr_t base, std::atomic<uint32_t>& id) {
  constexpr int kFlags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
                         CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
  KeepErrno keep;
  uint64_t before = set_signal_mask(kAllAndErrands);
  bool begun = clone(run, top, kFlags, nullptr, &id, base, &id) >= 0;
  set_signal_mask(before);
  return begun;
}

void await_none(const std::atomic<uint32_t>& id) {
  for (uint32_t seen; (seen = id.load(std::memory_order_acquire)) != 0;) futex(id, FUTEX_WAIT, seen);
}

void leave_to_others(std::atomic<uint32_t>& id) {
  id.store(0, std::memory_order_release);  // pairs with await_none
  futex(id, FUTEX_WAKE, INT32_MAX);
}

}  // namespace tulle::os
