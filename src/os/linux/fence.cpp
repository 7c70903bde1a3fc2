// SPDX-License-Identifier: Apache-2.0
#include "os/fence.h"

#include <fcntl.h>
#include <linux/membarrier.h>
#include <linux/stat.h>
#include <sys/syscall.h>

#include "arch/system_call.h"

namespace tulle::os {

bool asymmetric_fences = false;

namespace {

// What it is taken for by mistake costs time alone.
bool has_one_thread() {
  constexpr uint32_t kLinksBesideThreads = 2;  // proc(5): "." and ".."
  struct statx found;
  return arch::system_call(SYS_statx, AT_FDCWD, reinterpret_cast<uintptr_t>("/proc/self/task"), 0, STATX_NLINK,
                           reinterpret_cast<uintptr_t>(&found)) == 0 &&
         found.stx_nlink == kLinksBesideThreads + 1;
}

// When the library is loaded: for one thread the kernel takes a microsecond, and for several it waits until each core has
// passed its scheduler, some 10 ms, which the first region would take longer.
__attribute__((constructor)) void register_alone() {
  if (has_one_thread()) init_fences();
}

}  // namespace

void init_fences() {
  if (asymmetric_fences) return;
  asymmetric_fences =
      arch::system_call(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void init_fences_after_fork() {
  asymmetric_fences = false;
  init_fences();
}

void heavy_fence() {
  arch::full_fence();
  if (asymmetric_fences)
    arch::system_call(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

}  // namespace tulle::os
