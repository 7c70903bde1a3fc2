// SPDX-License-Identifier: Apache-2.0
//
// Questions of compiled code about its caller, hooks at the begin and end of a program, and the error
// directive.
#include <cstdlib>
#include <cstring>

#include "abi/kmp/layout.h"
#include "omp/task/task_bare.h"
#include "omp/thread/team.h"
#include "omp/thread/thread.h"
#include "omp/tool/called.h"
#include "omp/tool/events.h"
#include "os/report.h"
#include "sched/workers.h"

namespace tulle::kmp {
namespace {

uint64_t id_of(const omp::Task* task) { return reinterpret_cast<uintptr_t>(task); }

}  // namespace

// The runtime starts and ends by itself.
TULLE_KMP void __kmpc_begin(Ident*, int32_t) {}
TULLE_KMP void __kmpc_end(Ident*) {}

TULLE_KMP int32_t __kmpc_global_thread_num(Ident*) {
  return static_cast<int32_t>(omp::self_or_attach()->gtid);
}

TULLE_KMP int32_t __kmpc_global_num_threads(Ident*) {
  return static_cast<int32_t>(sched::worker_count());
}

TULLE_KMP int32_t __kmpc_bound_thread_num(Ident*) {
  return static_cast<int32_t>(omp::self_or_attach()->num);
}

TULLE_KMP int32_t __kmpc_bound_num_threads(Ident*) {
  return static_cast<int32_t>(omp::self_or_attach()->team->nthreads);
}

TULLE_KMP int32_t __kmpc_in_parallel(Ident*) {
  const omp::Thread* thread = omp::self();
  return thread && thread->team->active_level > 0;
}

// Asks whether a region may be opened here; regions that may not be active are of one thread.
TULLE_KMP int32_t __kmpc_ok_to_fork(Ident*) { return 1; }

TULLE_KMP uint64_t __kmpc_get_taskid() {
  omp::Thread* thread = omp::self();
  return thread ? id_of(omp::recorded_task(thread)) : 0;
}

TULLE_KMP uint64_t __kmpc_get_parent_taskid() {
  omp::Thread* thread = omp::self();
  return thread ? id_of(omp::recorded_task(thread)->parent) : 0;
}

// OpenMP 5.2 §8.5. `location` names the directive's place in the source.
TULLE_KMP void __kmpc_error(Ident* location, int32_t severity, const char* message) {
  const char* place = location && location->source ? location->source : "unknown place";
  const char* said = message ? message : "error directive";
  const bool fatal = static_cast<Severity>(severity) == Severity::fatal;
  if (omp::tool::active())
    omp::tool::error(omp::self_or_attach(), fatal ? omp::tool::Severity::fatal : omp::tool::Severity::warning, message,
                     message ? strlen(message) : 0, TULLE_CALLER());
  os::report("%s: %s (%s)", fatal ? "fatal error" : "warning", said, place);
  if (fatal) exit(EXIT_FAILURE);
}

}  // namespace tulle::kmp
