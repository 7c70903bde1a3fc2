// SPDX-License-Identifier: Apache-2.0
#include "memory/stack_code.h"

#include <link.h>
#include <sys/auxv.h>

#include <atomic>

#include "base/cacheline.h"
#include "os/modules.h"
#include "sync/spinlock.h"

namespace tulle::memory {

namespace {

// The C library does not free its own lock of the list of modules in a child.
TULLE_HELD_AT_FORK sync::Spinlock walking;
std::atomic<bool> found{false};
unsigned long long looked_at TULLE_GUARDED_BY(walking) = 0;  // modules loaded so far, at the last look

// The kernel's own module says nothing about stacks.
bool is_kernels(const dl_phdr_info* info) {
  constexpr int kPage = 4096;
  auto header = reinterpret_cast<const char*>(getauxval(AT_SYSINFO_EHDR));
  auto table = reinterpret_cast<const char*>(info->dlpi_phdr);
  return header != nullptr && table > header && table < header + kPage;
}

int look_at_module(dl_phdr_info* info, size_t, void* wanted) {
  bool runs_code = !is_kernels(info);
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_GNU_STACK)
      runs_code = (info->dlpi_phdr[i].p_flags & PF_X) != 0;
  *static_cast<bool*>(wanted) = runs_code;
  return runs_code ? 1 : 0;
}

bool look() TULLE_UNDER(walking) {
  unsigned long long so_far = os::modules_so_far();
  if (so_far == looked_at) return false;
  looked_at = so_far;
  bool wanted = false;
  dl_iterate_phdr(look_at_module, &wanted);
  if (wanted) found.store(true, std::memory_order_relaxed);
  return wanted;
}

}  // namespace

// Relaxed, here and below: it guards no data, and who sees it late looks under the lock.
bool modules_run_code_on_stacks() {
  if (found.load(std::memory_order_relaxed)) return true;
  sync::Guard guard(walking);
  return found.load(std::memory_order_relaxed) || look();
}

bool modules_run_code_on_stacks_if_free() {
  if (found.load(std::memory_order_relaxed)) return true;
  if (!walking.lock_unless_kept()) return false;
  bool wanted = look();
  walking.unlock();
  return wanted;
}

}  // namespace tulle::memory
