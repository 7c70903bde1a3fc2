// SPDX-License-Identifier: Apache-2.0
// The process: first use of the runtime, pthreads that come and go, fork().
#include <pthread.h>
#include <stdlib.h>

#include <new>

#include "base/contract.h"
#include "omp/icv.h"
#include "omp/region.h"
#include "omp/task.h"
#include "omp/team.h"
#include "os/cpus.h"
#include "os/futex.h"
#include "os/report.h"
#include "sched/scheduler.h"

namespace tulle::omp {

namespace {

std::atomic<uint32_t> state{0};  // 0: unused, 1: being set up, 2: in use
pthread_key_t exit_key;          // its destructor tells that a pthread ends

void pthread_ends(void* argument) {
  auto* root = static_cast<Thread*>(argument);
  sched::Worker* worker = root->anchor;
  drop_cached_teams(root);
  sched::detach_foreign(worker);
  release_initial_thread(root);
}

void child_after_fork() {
  if (state.load(std::memory_order_relaxed) != 2) return;
  Thread* thread = self();
  reset_teams_after_fork();
  sched::Worker* survivor = thread == nullptr ? nullptr : thread->anchor;
  sched::reset_after_fork(survivor);
  if (thread == nullptr) return;
  // Whatever it was inside of, the child goes on as an initial thread with its frames as they are.
  thread->worker = survivor;
  for (Thread* outer = thread; outer != nullptr; outer = outer->team->parent) {
    outer->inner = nullptr;
    outer->inner_alone = nullptr;
    outer->worker = survivor;
  }
}

TULLE_COLD void set_up() {
  uint32_t unused = 0;
  if (!state.compare_exchange_strong(unused, 1, std::memory_order_acq_rel)) {
    while (state.load(std::memory_order_acquire) != 2) os::futex_wait(state, 1);
    return;
  }
  const GlobalIcv& icv = global_icv();
  sched::Settings settings;
  settings.workers = icv.workers.value != 0 ? static_cast<int>(icv.workers.value) : os::usable_cpus().count;
  uint64_t blocktime = icv.blocktime_us.value;
  settings.spin_ns = blocktime == kEndless ? sched::kEndless : blocktime * 1000;
  settings.monitor_tick_ns = uint64_t{icv.monitor_tick_us.value} * 1000;
  if (icv.stack_size.value != 0) settings.stack_size = icv.stack_size.value;
  sched::configure(settings);
  if (pthread_key_create(&exit_key, pthread_ends) != 0)
    os::fatal("no pthread key is left: the runtime cannot tell when a thread ends");
  pthread_atfork(nullptr, nullptr, child_after_fork);
  state.store(2, std::memory_order_release);
  os::futex_wake(state, INT32_MAX);
}

}  // namespace

Thread* attach() {
  if (state.load(std::memory_order_acquire) != 2) set_up();
  Thread* root = take_initial_thread();
  Team* team = make_initial_team(root);
  root->own_icv = initial_icv();
  root->implicit.icv = &root->own_icv;
  team->icv = &root->own_icv;
  root->native_tls = true;
  sched::attach_foreign(root);
  pthread_setspecific(exit_key, root);
  return root;
}

Icv* writable_icv(Thread* thread) {
  Task* task = thread->task;
  if (task->icv == &thread->own_icv && task == &thread->implicit) return &thread->own_icv;
  if (task == &thread->implicit) {
    thread->own_icv = *task->icv;
    task->icv = &thread->own_icv;
    return &thread->own_icv;
  }
  return own_icv_of_task(task);
}

bool carries_thread_locals() {
  TlsMode mode = global_icv().tls.value;
  if (mode == TlsMode::automatic) return ult::program_has_thread_locals();
  return mode == TlsMode::own;
}

}  // namespace tulle::omp
