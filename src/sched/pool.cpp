// SPDX-License-Identifier: Apache-2.0
// Making workers: the pool at the first region that wants company, foreign ones as pthreads come
// and go, spares when the monitor asks.
#include <cstdlib>
#include <new>

#include "arch/context.h"
#include "os/clock.h"
#include "os/fence.h"
#include "os/report.h"
#include "os/thread.h"
#include "sched/internal.h"

namespace tulle::sched {

std::atomic<Worker*> all_workers[kMaxWorkers];
std::atomic<uint32_t> all_worker_count{0};

namespace {

Settings settings_in_force;
sync::Spinlock pool_lock;
std::atomic<int> pool_size{-1};       // W: under pool_lock; -1: not started
Worker* pool_members[kMaxWorkers];    // under pool_lock until pool_size is published
Worker* free_foreign = nullptr;       // under pool_lock
std::atomic<uint32_t> threads_made{0};

// First code of the runtime's own OS threads: on to a stack of the pool, for good.
void* worker_main(void* argument) {
  auto* w = static_cast<Worker*>(argument);
  w->kernel_id.store(os::kernel_thread_id(), std::memory_order_relaxed);  // relaxed: for the monitor
  w->native_tls = w->own_tls = w->tls = arch::tls_base();
  memory::Stack* stack = nullptr;
  while ((stack = memory::take_stack()) == nullptr) os::sleep_for(1000000);
  stack->started_by = w;
  void* native;
  arch::tulle_context_switch(&native, arch::make_context(stack->top(), loop_entry, stack), nullptr,
                             nullptr);
  __builtin_unreachable();
}

Worker* start_worker(WorkerKind kind) {
  Worker* w = new_worker(kind);
  if (w == nullptr) return nullptr;
  int error = os::start_thread(worker_main, w, os::Signals::inherited);
  if (error != 0) {
    w->kernel_id.store(-1, std::memory_order_relaxed);
    return nullptr;
  }
  threads_made.fetch_add(1, std::memory_order_relaxed);  // relaxed: a statistic
  return w;
}

}  // namespace

void configure(const Settings& settings) {
  settings_in_force = settings;
  memory::set_stack_size(settings.stack_size);
  arch::detect_features();
  os::init_fences();
}

const Settings& settings() { return settings_in_force; }

void set_spin(uint64_t spin_ns) { settings_in_force.spin_ns = spin_ns; }

Worker* new_worker(WorkerKind kind) {
  void* memory = aligned_alloc(alignof(Worker), sizeof(Worker));
  if (memory == nullptr) return nullptr;
  uint32_t index = all_worker_count.load(std::memory_order_relaxed);  // under pool_lock
  if (index >= kMaxWorkers) {
    free(memory);
    return nullptr;
  }
  auto* w = new (memory) Worker;
  w->index = index;
  w->kind = kind;
  all_workers[index].store(w, std::memory_order_relaxed);
  all_worker_count.store(index + 1, std::memory_order_release);  // pairs with the thieves' loads
  return w;
}

int start_pool() {
  int size = pool_size.load(std::memory_order_acquire);  // pairs with the store below
  if (TULLE_LIKELY(size >= 0)) return size;
  sync::Guard guard(pool_lock);
  size = pool_size.load(std::memory_order_relaxed);
  if (size >= 0) return size;
  int wanted = settings_in_force.workers - 1;
  for (size = 0; size < wanted && size < static_cast<int>(kMaxWorkers) - 1; ++size) {
    Worker* w = start_worker(WorkerKind::pool);
    if (w == nullptr) {
      os::report("only %d of %d workers: the system refuses another OS thread", size + 1, wanted + 1);
      break;
    }
    pool_members[size + 1] = w;
  }
  pool_size.store(size, std::memory_order_release);
  return size;
}

Worker* pool_worker(int i) { return pool_members[i]; }

Worker* attach_foreign(Entity* root) {
  Worker* w;
  {
    sync::Guard guard(pool_lock);
    w = free_foreign;
    if (w != nullptr)
      free_foreign = w->next_free;
    else
      w = new_worker(WorkerKind::foreign);
  }
  if (w == nullptr)
    os::fatal("more than %u OS threads have entered the runtime at once", kMaxWorkers);
  w->kernel_id.store(os::kernel_thread_id(), std::memory_order_relaxed);
  w->native_tls = w->tls = arch::tls_base();
  w->own_tls = 0;
  w->root = root;
  w->busy.store(true, std::memory_order_relaxed);
  root->worker = root->anchor = w;
  root->tls = w->native_tls;
  root->begin_call();
  set_current(root);
  return w;
}

void detach_foreign(Worker* w) {
  set_current(nullptr);
  if (w->lent_tls != nullptr) ult::give_tls_block(w->lent_tls);
  w->lent_tls = nullptr;
  w->own_tls = 0;
  w->root = nullptr;
  w->busy.store(false, std::memory_order_relaxed);
  if (w->parked_loop != nullptr) w->parked_loop = nullptr;
  sync::Guard guard(pool_lock);
  w->next_free = free_foreign;
  free_foreign = w;
}

void use_own_tls(Worker* w) {
  if (TULLE_UNLIKELY(w->own_tls == 0)) {
    w->lent_tls = ult::take_tls_block();
    // Without another OS thread's block the work runs in this thread's own.
    w->own_tls = w->lent_tls != nullptr ? w->lent_tls->base : w->native_tls;
  }
  use_tls(w, w->own_tls);
}

Worker* start_spare() {
  sync::Guard guard(pool_lock);
  return start_worker(WorkerKind::spare);
}

uint32_t worker_count() { return all_worker_count.load(std::memory_order_relaxed); }

uint32_t os_threads_made() {
  return threads_made.load(std::memory_order_relaxed) + ult::tls_blocks();
}

void reset_after_fork(Worker* survivor) {
  new (&pool_lock) sync::Spinlock;
  memory::reset_stack_pool_after_fork();
  reset_idle_after_fork();
  reset_monitor_after_fork();
  reset_parking_after_fork();
  pool_size.store(-1, std::memory_order_relaxed);
  free_foreign = nullptr;
  uint32_t count = all_worker_count.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < count; ++i) all_workers[i].store(nullptr, std::memory_order_relaxed);
  all_worker_count.store(0, std::memory_order_relaxed);
  threads_made.store(0, std::memory_order_relaxed);
  if (survivor == nullptr) return;
  survivor->index = 0;
  new (&survivor->queue) Runqueue;
  survivor->kernel_id.store(os::kernel_thread_id(), std::memory_order_relaxed);
  survivor->own_tls = 0;
  survivor->lent_tls = nullptr;
  survivor->parked_loop = nullptr;
  all_workers[0].store(survivor, std::memory_order_relaxed);
  all_worker_count.store(1, std::memory_order_relaxed);
}

}  // namespace tulle::sched
