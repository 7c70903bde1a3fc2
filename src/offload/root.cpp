// SPDX-License-Identifier: Apache-2.0
#include "offload/root.h"

#include "omp/task/task_icv.h"

namespace tulle::offload {

void become_root(Device& device) {
  omp::Icv* icv = omp::writable_icv(omp::self());  // by which the regions' initial teams get their places
  icv->bind = omp::ProcBind::off;
  icv->bind_inner_count = 0;
  const omp::Thread* root = omp::self();
  while (root->team->parent != nullptr) root = root->team->parent;
  device.root.store(root, std::memory_order_release);
}

}  // namespace tulle::offload
