// SPDX-License-Identifier: Apache-2.0
// parallel, in one call and in the two halves of GCC before 4.9; num_threads 0 stands for no clause,
// 1 for if(false) as well. Bits 0 to 2 of the flags are proc_bind, numbered as in omp.h.
#include "abi/gomp/entry.h"
#include "abi/gomp/reduction.h"
#include "abi/gomp/region.h"
#include "omp/region/parallel.h"
#include "omp/region/team_size.h"
#include "omp/tool/called.h"

namespace gomp = tulle::abi::gomp;
namespace omp = tulle::omp;

TULLE_GOMP void GOMP_parallel(omp::RegionFunction function, void* data, unsigned num_threads,
                              unsigned flags) {
  TULLE_CALLED();
  omp::parallel(omp::self_or_attach(), {function, data, num_threads, gomp::bind_of(flags)});
}

// The first word of `data` points to the descriptor of the region's task reductions.
TULLE_GOMP unsigned GOMP_parallel_reductions(omp::RegionFunction function, void* data,
                                             unsigned num_threads, unsigned flags) {
  TULLE_CALLED();
  omp::Thread* outer = omp::self_or_attach();
  omp::RegionRequest request{function, data, num_threads, gomp::bind_of(flags)};
  uintptr_t* descriptor = *static_cast<uintptr_t**>(data);
  auto register_reductions = [](omp::Thread* primary, void* argument) {
    gomp::register_for_team(primary->team, static_cast<uintptr_t*>(argument));
  };
  omp::Thread* primary = omp::fork(outer, request, omp::team_size(outer, num_threads),
                                  register_reductions, descriptor);
  omp::Team* team = primary->team;
  unsigned threads = team->nthreads;
  void* registered = team->task_reductions;
  function(data);
  omp::join();
  // A guest's team may be another one's by now.
  __atomic_compare_exchange_n(&team->task_reductions, &registered, nullptr, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return threads;
}

TULLE_GOMP void GOMP_parallel_start(omp::RegionFunction function, void* data,
                                    unsigned num_threads) {
  TULLE_CALLED();
  omp::Thread* outer = omp::self_or_attach();
  omp::RegionRequest request{function, data, num_threads, omp::ProcBind::off};
  omp::fork(outer, request, omp::team_size(outer, num_threads));
}

TULLE_GOMP void GOMP_parallel_end() { omp::join(); }
