// SPDX-License-Identifier: Apache-2.0
// The extension API for libraries whose calls block (tulle/suspend.h): translation. Any thread.
#include <cstddef>

#include "abi/api/extension.h"
#include "arch/current.h"
#include "omp/queue/task_policy.h"
#include "omp/region/alone.h"
#include "omp/task/outside.h"
#include "omp/task/task_bare.h"
#include "omp/task/task_end.h"
#include "sched/give_way.h"
#include "sched/host.h"
#include "sched/poller.h"

namespace arch = tulle::arch;
namespace omp = tulle::omp;
namespace sched = tulle::sched;

namespace {

sched::Event& event_of(void* suspension) { return *static_cast<sched::Event*>(suspension); }
static_assert(sizeof(sched::Event) == sizeof(void*));

}  // namespace

TULLE_EXTENSION int tulle_can_suspend() {
  constexpr int kForOthers = 1, kAlone = 2;
  const omp::Thread* thread = omp::thread_in_region();
  if (thread == nullptr) return 0;
  return omp::is_alone(thread) ? kAlone : kForOthers;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"  // compilers that Tulle is built with know it
// As `level` of thread_in_region() reads it.
TULLE_EXTENSION const void* tulle_where_outside() {
  struct {
    long word = arch::current_distance(), team = offsetof(omp::Thread, team), level = offsetof(omp::Team, level);
    const void* guests = &sched::host_word();
  } static const where;
  return &where;
}
#pragma GCC diagnostic pop

TULLE_EXTENSION int tulle_others_wait() {
  const omp::Thread* thread = omp::self();
  return thread != nullptr && omp::others_wait(thread);
}

TULLE_EXTENSION const void* tulle_current_task() {
  omp::Thread* thread = omp::thread_in_region();
  return thread != nullptr ? omp::recorded_task(thread) : nullptr;
}

TULLE_EXTENSION void tulle_suspend(void* suspension) {
  omp::wait_outside(omp::self_or_attach(), event_of(suspension));
}

TULLE_EXTENSION void tulle_resume(void* suspension) { event_of(suspension).signal(); }

TULLE_EXTENSION int tulle_register_poller(int (*poll)(void*), void* data) {
  return sched::register_poller(poll, data);
}

TULLE_EXTENSION void tulle_inside_begin() { sched::begin_inside(); }

TULLE_EXTENSION void tulle_inside_end() { sched::end_inside(); }

TULLE_EXTENSION void tulle_looked_in_vain() { omp::looked_in_vain(omp::self()); }

TULLE_EXTENSION void tulle_expect_suspensions() { omp::expect_waits_outside(); }

TULLE_EXTENSION void* tulle_hold_end() {
  omp::Task* task = omp::in_region() ? omp::hold_end(omp::self()) : nullptr;
  if (task != nullptr) sched::await_begin();
  return task;
}

TULLE_EXTENSION void tulle_release_end(void* held) {
  omp::fulfill_event(static_cast<omp::Task*>(held));
  sched::await_end();
}
