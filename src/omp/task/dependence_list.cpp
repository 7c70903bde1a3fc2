// SPDX-License-Identifier: Apache-2.0
#include "omp/task/dependence_list.h"

#include "os/report.h"

namespace tulle::omp {

TULLE_COLD Dependence* DependenceList::allocate(size_t room) {
  auto* items = static_cast<Dependence*>(malloc(room * sizeof(Dependence)));
  if (items == nullptr) os::fatal("no memory for %zu dependences of a task", room);
  return items;
}

}  // namespace tulle::omp
