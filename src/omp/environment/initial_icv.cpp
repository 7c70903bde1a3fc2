// SPDX-License-Identifier: Apache-2.0
#include "omp/icv/icv.h"
#include "omp/places/places.h"

namespace tulle::omp {

Icv initial_icv() {
  const GlobalIcv& global = global_icv();
  const NumThreadsList& threads = global.num_threads.value;
  const ProcBindList& bind = global.proc_bind.value;
  Icv icv{};
  icv.nthreads = threads.values[0];
  icv.nthreads_inner = threads.values + 1;
  icv.nthreads_inner_count = static_cast<uint16_t>(threads.count - 1);
  icv.bind = bind.values[0];
  icv.bind_inner = bind.values + 1;
  icv.bind_inner_count = static_cast<uint16_t>(bind.count - 1);
  icv.thread_limit = global.thread_limit.value;
  icv.max_active_levels = global.max_active_levels.value;
  icv.default_device = global.default_device.value;
  icv.run_sched = global.schedule.value;
  icv.task_creation = global.task_creation.value;
  icv.def_allocator = global.allocator.value;
  icv.dyn = global.dynamic.value;
  icv.sizes_fixed = global.dynamic.source.origin != Origin::standard && !global.dynamic.value;
  icv.observed = initially_observed();
  return icv;
}

bool initially_observed() {
  const GlobalIcv& global = global_icv();
  return places().count() != 0 || global.display_affinity.value || global.placement.value != nullptr;
}

}  // namespace tulle::omp
