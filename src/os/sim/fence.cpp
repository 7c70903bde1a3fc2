// SPDX-License-Identifier: Apache-2.0
#include "os/fence.h"

#include "arch/simulation.h"

namespace tulle::os {

bool asymmetric_fences = true;

void init_fences() {}
void init_fences_after_fork() {}

void heavy_fence() { tulle_sim_heavy_fence(); }

}  // namespace tulle::os
