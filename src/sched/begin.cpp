// SPDX-License-Identifier: Apache-2.0
// The scheduler as a whole: how it begins, in a process and in the child after fork().
#include "sched/begin.h"

#include <new>

#include "arch/cpu.h"
#include "os/fence.h"
#include "os/thread.h"
#include "sched/alarm.h"
#include "sched/announce.h"
#include "sched/blocking.h"
#include "sched/guest.h"
#include "sched/idle.h"
#include "sched/monitor.h"
#include "sched/parking.h"
#include "sched/placing.h"
#include "sched/poller.h"
#include "sched/pool.h"
#include "sched/program_wait.h"
#include "sched/settings.h"
#include "sched/sleepers.h"
#include "sched/usable_cpus.h"
#include "sched/worker.h"
#include "sched/workers.h"

namespace tulle::sched {

void configure(const Settings& settings) {
  set_settings(settings);
  waits_are_seen = settings.sees_waits;
  monitor_starter = start_monitor;
  hand_on_behind = hand_on;
  memory::set_stack_size(settings.stack_size);
  memory::set_stack_limit(settings.stack_limit);
  arch::detect_features();
  os::init_fences();
  if (settings.follows_cpus) remember_usable_cpus();
}

namespace {

// The OS thread that is left, under the TLS block in force, which the C library takes for its own
// from now on; its frames may lie on a stack of the pool.
void survive(Worker* w, Entity* entity) {
  w->index = 0;
  w->kind = WorkerKind::foreign;
  w->crew.store(nullptr, std::memory_order_relaxed);
  w->forks = forks_so_far();
  w->kernel_id.store(os::kernel_thread_id(), std::memory_order_relaxed);
  w->native_tls = w->tls = arch::tls_base();
  arch::set_lent_pointer(nullptr);
  w->own_tls = 0;
  w->lent_tls = nullptr;
  w->parked_loop = nullptr;
  w->root = entity;
  w->seat.store(nullptr, std::memory_order_relaxed);
  w->asleep.store(0, std::memory_order_relaxed);
  w->blocking_depth = 0;
  w->busy.store(w->guests != Guests::itself, std::memory_order_relaxed);
  new (&w->queue) Runqueue;
}

}  // namespace

// One OS thread is left: nothing here needs an order.
void reset_after_fork(Entity* entity) {
  Worker* survivor = entity == nullptr ? nullptr : entity->worker;
  os::init_fences_after_fork();
  reset_guests_after_fork();
  reset_sleepers_after_fork();
  reset_idle_after_fork();
  reset_seats_after_fork();
  reset_pollers_after_fork();
  reset_alarm();
  reset_parking_after_fork();
  reset_program_waits_after_fork();
  reset_deferrals_after_fork(entity);
  reset_placed_after_fork(survivor);
  reset_pool_after_fork(survivor != nullptr);
  forget_workers(survivor);
  forget_crews();
  if (survivor != nullptr) survive(survivor, entity);
}

}  // namespace tulle::sched
