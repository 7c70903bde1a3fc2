// SPDX-License-Identifier: Apache-2.0
// Making workers: the pool at the first region that wants company, foreign ones as pthreads come
// and go, spares when the monitor asks. The pool ends with the last foreign one and starts again with
// the same records, which teams know.
#include "sched/pool.h"

#include <cstdio>
#include <cstdlib>
#include <new>

#include "arch/cpu.h"
#include "os/clock.h"
#include "os/fault.h"
#include "os/fence.h"
#include "os/futex.h"
#include "os/memory.h"
#include "os/report.h"
#include "os/thread.h"
#include "sched/alarm.h"
#include "sched/crew.h"
#include "sched/enter.h"
#include "sched/guest.h"
#include "sched/loop.h"
#include "sched/settings.h"
#include "sched/signals.h"
#include "sched/sleepers.h"
#include "sched/victims.h"
#include "sched/worker.h"
#include "sched/worker_tree.h"
#include "sched/workers.h"
#include "ult/switch.h"

namespace tulle::sched {

namespace {

TULLE_HELD_AT_FORK sync::Spinlock pool_lock;
Worker* free_foreign = nullptr;       // under pool_lock
Worker* free_guests = nullptr;        // the same; each keeps its root
Worker* free_spares = nullptr;        // under pool_lock
// Relaxed: the pool's lock stands between its end and the last look at it.
std::atomic<bool> initial_thread_alive{false};
std::atomic<uint32_t> threads_alive{0};  // futex word: workers' OS threads that have not ended

void begin_on_native_stack(Worker* w) {
  w->stack = &w->native_stack;
  if (ult::sanitized) ult::adopt_stack(w->stack);
}

// A pthread's own stack, or the initial thread's, can be much smaller than what OMP_STACKSIZE promises:
// then nothing that is another thread's begins on it. The caller may run on another one.
void measure_native_stack(memory::Stack& stack) {
  const os::NativeStack native = os::native_stack();
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  bool native_frame = here >= native.usable && here < native.top;
  uintptr_t left = (native_frame ? here : native.first) - native.usable;
  stack.lowest = reinterpret_cast<void*>(native.usable);
  stack.bytes = native.top - native.usable;
  bool small = left < memory::stack_size() / 2;
  stack.middle = small ? UINTPTR_MAX : native.usable + left / 2;
  stack.room = small ? 0 : native.top - stack.middle;
}

// What top, perf and debuggers call its OS thread.
void name_after(const Worker* w) {
  char name[32];
  const bool spare = w->kind == WorkerKind::spare;
  if (!spare && crew_of(w) != nullptr) return;  // as its leader, which has started it
  // Relaxed: the pool's starter wrote the leaf before the thread.
  const uint32_t number = spare ? w->index : w->leaf.load(std::memory_order_relaxed);
  snprintf(name, sizeof name, spare ? "tulle spare %u" : "tulle worker %u", number);
  os::name_thread(name);
}

// First code of the runtime's own OS threads: on to a stack of the pool, for good.
void* worker_main(void* argument) {
  auto* w = static_cast<Worker*>(argument);
  // Its native stack is idle while it works, and has room.
  os::set_alternate_stack(__builtin_alloca(os::alternate_stack_size()));
  name_after(w);
  w->kernel_id.store(os::kernel_thread_id(), std::memory_order_seq_cst);  // pairs with who binds it
  bind_worker(w);
  w->native_tls = w->own_tls = w->tls = arch::tls_base();
  begin_on_native_stack(w);
  begin_signals(w);
  ult::switch_to(w->stack, &w->native_context, take_parked_loop(w), nullptr, nullptr);
  // The loop came back: the pool ends.
  if (ult::sanitized) ult::disown_stack(&w->native_stack);
  set_current(nullptr);
  w->seat.store(nullptr, std::memory_order_relaxed);
  w->busy.store(false, std::memory_order_relaxed);
  w->takes_work.store(false, std::memory_order_relaxed);
  count_thread_end();
  return nullptr;
}

bool start_counted(void* (*entry)(void*), void* argument, auto start) {
  threads_alive.fetch_add(1, std::memory_order_relaxed);  // of a pool that does not end meanwhile
  if (start(entry, argument) == 0) return true;
  threads_alive.fetch_sub(1, std::memory_order_relaxed);
  return false;
}

bool start_worker(Worker* w) {
  if (!park_fresh_loop(w)) return false;
  w->takes_work.store(true, std::memory_order_relaxed);  // relaxed: a hint to the monitor
  if (start_counted(worker_main, w, ult::port::start_thread)) return true;
  w->takes_work.store(false, std::memory_order_relaxed);
  memory::give_stack(take_parked_loop(w).stack);
  return false;
}

void await_ends() {
  for (uint32_t left; (left = threads_alive.load(std::memory_order_acquire)) != 0;)
    os::futex_wait(threads_alive, left);
}

void keep_spares_locked() {
  free_spares = nullptr;
  uint32_t count = all_worker_count.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < count; ++i) {
    Worker* w = all_workers[i].load(std::memory_order_relaxed);
    if (w == nullptr || w->kind != WorkerKind::spare) continue;
    w->next_free = free_spares;
    free_spares = w;
  }
}

void wake_all_workers() {
  uint32_t count = all_worker_count.load(std::memory_order_acquire);
  Rousing rousing;
  for (uint32_t i = 0; i < count; ++i) {
    Worker* w = all_workers[i].load(std::memory_order_relaxed);
    if (w != nullptr && w->kind != WorkerKind::foreign) wake(w, rousing);
  }
}

Worker* take_from(Worker*& free) {
  for (;; os::futex_wait(pool_ends, 1)) {
    sync::Guard guard(pool_lock);
    if (pool_ends.load(std::memory_order_relaxed) != 0) continue;  // relaxed: W under the lock
    Worker* w = free;
    if (w != nullptr)
      free = w->next_free;
    else
      w = new_worker(WorkerKind::foreign);
    if (w == nullptr && worker_count() < kMaxWorkers)
      os::fatal("no memory for another OS thread's worker");
    if (w == nullptr)
      os::fatal("more than %u OS threads and user-level threads have entered the runtime at once", kMaxWorkers);
    attached.fetch_add(1, std::memory_order_relaxed);  // before its first region; pairs with steals_for_region
    return w;
  }
}

// The caller may be the process's last OS thread but for those of a library under the runtime.
[[maybe_unused]] void end_port_locked() {
  if (initial_thread_alive.load(std::memory_order_relaxed)) return;  // relaxed: nobody attaches meanwhile
  for (Worker* w = free_foreign; w != nullptr; w = w->next_free)
    if (w->parked_loop != nullptr) memory::give_stack(take_parked_loop(w).stack);
  ult::port::end();
}

// With the last one the pool ends too.
void give_back_to(Worker*& free, Worker* w) {
  bool last;
  {
    sync::Guard guard(pool_lock);
    w->next_free = free;
    free = w;
    last = attached.fetch_sub(1, std::memory_order_relaxed) == 1;
  }
  if (last && !initial_thread_alive.load(std::memory_order_relaxed)) stop_pool(0);
}

}  // namespace

bool start_counted_thread(void* (*entry)(void*), void* argument, os::Signals signals) {
  return start_counted(entry, argument, [signals](void* (*code)(void*), void* data) {
    return os::start_thread(code, data, signals);
  });
}

void count_thread_end() {
  threads_alive.fetch_sub(1, std::memory_order_release);  // pairs with await_ends
  os::futex_wake(threads_alive, 1);
}

int start_pool() {
  int size = pool_size.load(std::memory_order_acquire);  // pairs with the store below
  if (TULLE_LIKELY(size >= 0)) return size;
  sync::Guard guard(pool_lock);
  size = pool_size.load(std::memory_order_relaxed);
  if (size >= 0) return size;
  os::measure_pauses();
  int wanted = settings().workers - 1;
  find_memory_nodes(wanted + 1);
  const WorkerNodes nodes = WorkerNodes::here(static_cast<uint32_t>(wanted) + 1);
  for (size = 0; size < wanted && size < static_cast<int>(kMaxWorkers) - 1; ++size) {
    Worker* w = pool_worker(size + 1);
    if (w == nullptr) {
      w = new_worker(WorkerKind::pool, nullptr, nodes.of(static_cast<uint32_t>(size) + 1));
      set_pool_worker(size + 1, w);
    }
    if (w != nullptr) w->leaf.store(static_cast<uint32_t>(size + 1), std::memory_order_relaxed);
    if (w == nullptr || !start_worker(w)) {
      os::report("only %d of %d workers: the system refuses another OS thread or its stack", size + 1,
                 wanted + 1);
      break;
    }
  }
  pool_size.store(size, std::memory_order_release);
  return size;
}

Worker* attach_foreign(Entity* root, Frame* frame) {
  Worker* w = take_from(free_foreign);
  set_looked_at(w->guests, has_host() ? Guests::beside : Guests::none);
  w->enters_plainly = w->guests == Guests::none;
  w->kernel_id.store(os::kernel_thread_id(), std::memory_order_relaxed);
  w->native_tls = w->tls = arch::tls_base();
  w->own_tls = 0;
  measure_native_stack(w->native_stack);
  begin_on_native_stack(w);
  set_looked_at(w->root, root);
  w->busy.store(true, std::memory_order_relaxed);
  if (w->alternate_stack == nullptr) w->alternate_stack = malloc(os::alternate_stack_size());
  if (w->alternate_stack != nullptr) os::set_alternate_stack(w->alternate_stack);
  root->tls = w->native_tls;
  root->begin_call();
  begin_signals(w);
  enter(w, root, frame, {w->native_tls, w});
  return w;
}

bool runs_on_its_stack(const Worker* w) {
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (here - reinterpret_cast<uintptr_t>(w->stack->lowest) < w->stack->bytes) return true;
  const os::NativeStack native = os::native_stack();
  return native.top == 0 || (here >= native.lowest && here < native.top);
}

void detach_foreign(Worker* w) {
  set_current(nullptr);
  if (w->lent_tls != nullptr) ult::give_tls_block(w->lent_tls);
  w->lent_tls = nullptr;
  w->own_tls = 0;
  if (w->alternate_stack != nullptr) os::drop_alternate_stack(w->alternate_stack);
  if (ult::sanitized) ult::disown_stack(&w->native_stack);
  ult::port::forget_os_thread();
  set_looked_at(w->root, nullptr);
  w->busy.store(false, std::memory_order_relaxed);
  // A parked loop stays, and its stack: the next OS thread to be this worker goes on with it.
  give_back_to(free_foreign, w);
}

Worker* take_guest() { return take_from(free_guests); }
void give_guest(Worker* w) { give_back_to(free_guests, w); }

void initial_thread_lives() { initial_thread_alive.store(true, std::memory_order_relaxed); }

void initial_thread_ends() {
  initial_thread_alive.store(false, std::memory_order_relaxed);
  stop_pool(0);
}

bool stop_pool(uint32_t still_attached, int workers) {
  {
    sync::Guard guard(pool_lock);
    if (attached.load(std::memory_order_relaxed) != still_attached || pool_ends.load(std::memory_order_relaxed) != 0) return false;
    pool_ends.store(1, std::memory_order_seq_cst);  // pairs with the sleepers' looks
  }
  os::hot_fence();  // before the looks at who sleeps; pairs with the sleepers' heavy fence
  // From here to the end nobody attaches, so nobody starts anything.
  os::futex_wake(pool_ends, INT32_MAX);
  wake_monitor();
  wake_all_workers();
  await_ends();
  if (workers != 0) {
    set_workers(workers);
    forget_tree();
  }
  {
    sync::Guard guard(pool_lock);
    reset_alarm();
    keep_spares_locked();
    if constexpr (!ult::port::kNative)
      if (still_attached == 0) end_port_locked();
    pool_size.store(-1, std::memory_order_relaxed);
    pool_ends.store(0, std::memory_order_relaxed);
  }
  os::futex_wake(pool_ends, INT32_MAX);
  return true;
}

Worker* start_spare(const Crew* crew) {
  sync::Guard guard(pool_lock);
  if (pool_ends.load(std::memory_order_relaxed) != 0) return nullptr;
  Worker** link = &free_spares;
  while (*link != nullptr && crew_of(*link) != crew) link = &(*link)->next_free;
  Worker* w = *link;
  if (w != nullptr)
    *link = w->next_free;
  else
    w = new_worker(WorkerKind::spare, crew);
  if (w == nullptr || start_worker(w)) return w;
  w->next_free = free_spares;
  free_spares = w;
  return nullptr;
}

Worker* start_member(const Crew* crew) {
  sync::Guard guard(pool_lock);
  Worker* w = new_worker(WorkerKind::pool, crew);
  return w != nullptr && start_worker(w) ? w : nullptr;
}

void reset_pool_after_fork(bool survivor) {
  ult::port::after_fork();
  pool_size.store(-1, std::memory_order_relaxed);
  pool_ends.store(0, std::memory_order_relaxed);
  free_foreign = free_guests = free_spares = nullptr;
  attached.store(survivor ? 1 : 0, std::memory_order_relaxed);
  threads_alive.store(0, std::memory_order_relaxed);
}

}  // namespace tulle::sched
