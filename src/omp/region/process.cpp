// SPDX-License-Identifier: Apache-2.0
// The process: first use of the runtime, pthreads that come and go, fork().
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>

#include "arch/cpu.h"
#include "omp/environment/environment_values.h"
#include "omp/icv/icv.h"
#include "omp/places/worker_place.h"
#include "omp/queue/task_trim.h"
#include "omp/region/argobots.h"
#include "omp/region/cached_teams.h"
#include "omp/region/guests.h"
#include "omp/region/members.h"
#include "omp/region/process.h"
#include "omp/region/spinning.h"
#include "omp/region/team_policy.h"
#include "omp/region/team_size.h"
#include "omp/sync/critical.h"
#include "omp/sync/wide_atomic.h"
#include "omp/task/announced_team.h"
#include "omp/task/task_bare.h"
#include "omp/thread/stack_overflow.h"
#include "omp/thread/team.h"
#include "omp/tool/events.h"
#include "omp/tool/start.h"
#include "os/cpus.h"
#include "os/futex.h"
#include "os/memory.h"
#include "os/report.h"
#include "os/secure.h"
#include "os/thread.h"
#include "sched/begin.h"
#include "sched/guest.h"
#include "sched/pool.h"
#include "sched/settings.h"
#include "sched/share.h"
#include "sched/worker.h"
#include "sync/fork_locks.h"

namespace tulle::omp {

namespace {

std::atomic<uint32_t> state{0};  // 0: unused, 1: being set up, 2: in use
pthread_key_t exit_key;          // its destructor tells that a pthread ends
bool exit_key_known = false;     // W: when the library is loaded, or set_up
const char unused_thread = 0;    // the key's value in an initial thread that has not used OpenMP

bool is_initial_thread() { return os::kernel_thread_id() == os::process_id(); }

void pthread_ends(void* argument) {
  if (argument == &unused_thread) return sched::initial_thread_ends();
  auto* root = static_cast<Thread*>(argument);
  if (self() != root) os::report_end_in_region();
  sched::Worker* worker = root->home;
  drop_cached_teams(root);
  if (tool::active()) tool::end_thread(root);
  withdraw_after_region(root->team);
  sched::set_current(nullptr);
  release_initial_thread(root);
  forget_bound_worker(worker);
  sched::detach_foreign(worker);
  if (is_initial_thread()) sched::initial_thread_ends();
}

bool make_exit_key() {
  if (!exit_key_known) exit_key_known = pthread_key_create(&exit_key, pthread_ends) == 0;
  return exit_key_known;
}

// Without the key's value in it the initial thread would end unseen, and the pool go on without it.
void watch_initial_thread() {
  if (!exit_key_known || !is_initial_thread()) return;
  if (pthread_getspecific(exit_key) != nullptr ||
      pthread_setspecific(exit_key, &unused_thread) == 0)
    sched::initial_thread_lives();
}

void before_fork() { sync::lock_for_fork(); }

void parent_after_fork() { sync::unlock_for_fork(__stop_tulle_fork_locks); }

// Of all OpenMP threads only the calling one is left, with its frames as they are. Workers, teams and
// tasks of the others are forgotten, and so are teams that are cached: their seats are workers'.
void child_after_fork() {
  sync::unlock_for_fork(__stop_tulle_fork_locks);
  watch_initial_thread();
  if (state.load(std::memory_order_relaxed) != 2) {
    state.store(0, std::memory_order_relaxed);  // whoever was setting up is gone
    return;
  }
  Thread* thread = self();
  forget_free_teams();
  forget_bound_workers(nullptr);
  // Held for moments by code that compilers make; locks of the program's own stay as they are.
  atomic_fallback.init();
  free_wide_atomic_locks();
  sched::reset_after_fork(thread);
  for (Thread* outer = thread; outer != nullptr; outer = outer->team->parent) {
    outer->inner = nullptr;
    outer->inner_alone = nullptr;
    outer->team->resting.store(nullptr, std::memory_order_relaxed);
    outer->worker = thread->worker;
    if (outer->home != thread->worker) outer->home = nullptr;
    forget_announcement(outer->team);
    outer->team->gang = 0;
  }
  forget_gangs();
  recount_reserved(thread);
}

// When the library is loaded, so that a fork in the middle of the set-up is seen too.
__attribute__((constructor)) void watch_process() {
  pthread_atfork(before_fork, parent_after_fork, child_after_fork);
  make_exit_key();
  watch_initial_thread();
}

// For `tulle run -v`, which names in this variable the file where each process says that it runs on Tulle.
void note_use() {
  const char* path = getenv("TULLE_SERVED");
  if (path != nullptr && os::has_more_rights_than_caller()) {
    os::report("TULLE_SERVED names a file and is ignored: the process has rights that who started it may lack");
    return;
  }
  FILE* file = path != nullptr ? fopen(path, "ae") : nullptr;
  if (file == nullptr) return;
  fprintf(file, "%d %s\n", os::process_id(), program_invocation_short_name);
  fclose(file);
}

TULLE_COLD void set_up() {
  uint32_t unused = 0;
  if (!state.compare_exchange_strong(unused, 1, std::memory_order_acq_rel)) {
    while (state.load(std::memory_order_acquire) != 2) os::futex_wait(state, 1);
    return;
  }
  const GlobalIcv& icv = global_icv();
  sched::Settings settings;
  settings.follows_cpus = icv.workers.value == 0 && !initially_observed();
  const bool shares = icv.shares_cpus.value && !os::has_more_rights_than_caller();
  if (shares != icv.shares_cpus.value)
    os::report("TULLE_SHARE needs a file and is ignored: the process has rights that who started it may lack");
  sched::cpus_are_shared = settings.follows_cpus && shares;
  if (sched::cpus_are_shared) flat_limit = 1;  // others are looked at before each region
  int usable = icv.kmp_hw_subset.value != nullptr ? icv.cpus : std::min<int>(os::allowed_cpus().count(), icv.quota_cpus);
  settings.workers = icv.workers.value != 0 ? static_cast<int>(icv.workers.value) : usable;
  const LargeBarrier barrier = icv.barrier.value;
  uses_trees = barrier == LargeBarrier::tree || (barrier == LargeBarrier::automatic && settings.workers <= usable);
  always_by_leaders = barrier == LargeBarrier::tree;
  uint64_t blocktime = icv.blocktime_us.value;
  settings.spin_ns = blocktime == kEndless ? sched::kEndless : blocktime * 1000;
  settings.monitor_tick_ns = uint64_t{icv.monitor_tick_us.value} * 1000;
  settings.stack_size = icv.stack_size.value != 0 ? icv.stack_size.value : os::default_stack_size();
  settings.sees_waits = icv.waits.value;
  settings.stack_limit = icv.stack_limit.value;
  settings.on_spin = note_spinning;
  settings.on_sleep = note_sleeping;
  settings.on_trim = trim_task_memory;
  sched::configure(settings);
  set_team_functions({serve_team, serve_seat, left_in_team});
  if (!make_exit_key())
    os::fatal("no pthread key is left: the runtime cannot tell when a thread ends");
  watch_for_overflows();
  look_for_argobots();
  note_use();
  if (icv.policy.value != kStandardPolicy) policies_named.store(true, std::memory_order_relaxed);
  state.store(2, std::memory_order_release);
  os::futex_wake(state, INT32_MAX);
}

}  // namespace

Thread* attach() {
  if (state.load(std::memory_order_acquire) != 2) set_up();
  if (sched::running_guest() != nullptr) return attach_guest();
  Thread* root = take_initial_thread();
  make_initial_team(root);
  reset_icv(root);
  root->native_tls = true;
  sched::attach_foreign(root, &root->implicit);
  pthread_setspecific(exit_key, root);
  if (tool::active()) {
    tool::attached(root);
    if (!tool::active()) observe_without_tools(root);
  }
  return root;
}

bool pause(bool soft) {
  Thread* thread = self();
  if (thread == nullptr) return true;
  if (thread->team->level > 0) return false;
  if (!soft)
    drop_cached_teams(thread);
  else if (thread->inner != nullptr)
    thread->inner->meets_at = MeetAt::anew;  // which starts the pool
  if (sched::stop_pool(1)) forget_bound_workers(thread->worker);
  return true;
}

}  // namespace tulle::omp
