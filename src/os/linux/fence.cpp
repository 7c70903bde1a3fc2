// SPDX-License-Identifier: Apache-2.0
#include "os/fence.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>

#include "arch/system_call.h"

namespace tulle::os {

bool asymmetric_fences = false;

void init_fences() {
  asymmetric_fences =
      arch::system_call(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void heavy_fence() {
  arch::full_fence();
  if (asymmetric_fences)
    arch::system_call(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

}  // namespace tulle::os
