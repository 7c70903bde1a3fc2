// SPDX-License-Identifier: Apache-2.0
#include "sched/signals.h"

#include <signal.h>

#include "arch/cpu.h"
#include "os/clock.h"
#include "os/errand.h"
#include "os/futex.h"
#include "os/signal_mask.h"
#include "os/thread.h"
#include "sched/durations.h"
#include "sched/guest.h"
#include "sched/worker.h"
#include "sched/workers.h"

namespace tulle::sched {

namespace {

// What the kernel sends to the OS thread that brought it about: for no idle worker.
constexpr SignalSet bit(int signal) { return SignalSet{1} << (signal - 1); }
constexpr SignalSet kOfTheirCause =
    bit(SIGSEGV) | bit(SIGBUS) | bit(SIGFPE) | bit(SIGILL) | bit(SIGTRAP) | bit(SIGSYS) | bit(SIGPIPE);

// Of a thread that awaits signals: no errand has ended its system call. (The C library's own signal, else.)
constexpr SignalSet kUndisturbed = bit(32);

std::atomic<bool> in_use{false};              // from the first request on; pairs with begin_signals
std::atomic<SignalSet> first_mask{0};         // as members begin
std::atomic<SignalSet> blocked_by_members{0};  // by any of them, so far
std::atomic<uint32_t> requests{0};

bool has_os_thread(const Worker* w) {
  if (w->guests == Guests::itself || w->kernel_id.load(std::memory_order_seq_cst) == 0) return false;
  return w->kind == WorkerKind::foreign ? w->root != nullptr : w->takes_work.load(std::memory_order_relaxed);
}

template <class Wanted>
Worker* find_worker(Wanted wanted) {
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count; ++i) {
    Worker* w = all_workers[i].load(std::memory_order_relaxed);
    if (w != nullptr && has_os_thread(w) && wanted(w)) return w;
  }
  return nullptr;
}

Worker* worker_of_os_thread() {
  int id = os::kernel_thread_id();
  // Relaxed: its own.
  return find_worker([id](Worker* w) { return w->kernel_id.load(std::memory_order_relaxed) == id; });
}

// Of the thread whose block it is; null: a worker's of ours, or unknown.
ult::ThreadSignals* signals_of(uintptr_t base) {
  if (ult::TlsBlock* block = ult::lent_block(base)) return &block->signals;
  Worker* owner = find_worker(
      [base](Worker* w) { return w->kind == WorkerKind::foreign && look(w->native_tls) == base; });
  return owner != nullptr ? &owner->signals : nullptr;
}

// Of whoever runs on w under a block.
ult::ThreadSignals* signals_under(Worker* w, uintptr_t base) {
  return w->native_tls == base ? &w->signals : signals_of(base);
}

// No thread of the program runs: the block in force is the worker's own (bare members run there too; their masks
// are their worker's), or that of a thread which has suspended, and runs elsewhere by now.
bool is_in_loop(const Worker* w, uintptr_t base) {
  if (base == w->own_tls && (w->kind != WorkerKind::foreign || base != w->native_tls)) return true;
  const Entity* last = w->running.load(std::memory_order_relaxed);  // relaxed, as the look: ask() orders them
  return last != nullptr && look(last->worker) != w;
}

void set_mask_of_worker(Worker* w, SignalSet mask) {
  w->mask_in_force.store(mask, std::memory_order_relaxed);  // relaxed: hints to those who ask
}

void record(ult::ThreadSignals& signals, SignalSet mask) {
  signals.mask.store(mask, std::memory_order_relaxed);  // relaxed, as below: its own, and its handlers'
  signals.has_mask.store(true, std::memory_order_relaxed);
}

SignalSet mask_of(const ult::ThreadSignals& signals) {
  return signals.has_mask.load(std::memory_order_relaxed) ? signals.mask.load(std::memory_order_relaxed)
                                                           : first_mask.load(std::memory_order_relaxed);
}

// Those that were sent to the thread in force, on its OS thread.
void deliver(ult::ThreadSignals& signals, SignalSet mask) {
  for (;;) {
    SignalSet awaited = signals.awaited.load(std::memory_order_relaxed);  // its own
    SignalSet due = signals.pending.load(std::memory_order_seq_cst) & (~mask | awaited);
    if (due == 0) return;
    SignalSet first = due & (~due + 1);
    if ((signals.pending.fetch_and(~first, std::memory_order_relaxed) & first) == 0) continue;
    // One is enough for who waits; what comes later is the block's.
    if ((awaited & first) != 0) signals.awaited.store(0, std::memory_order_relaxed);
    os::raise_signal(__builtin_ctzll(first) + 1);
  }
}

// In its handler, or on the worker itself: from now on it enters with care. Nobody has changed its mask so far.
void begin_with(Worker* w, SignalSet mask) {
  if (w->kind == WorkerKind::pool) first_mask.store(mask, std::memory_order_relaxed);
  record(w->signals, mask);
  set_mask_of_worker(w, mask);
  w->enters_plainly = false;
}

// An errand's handler may run meanwhile, and change the mask.
void begin_loop(Worker* w, SignalSet mask) {
  SignalSet blocked;
  do {
    blocked = blocked_by_members.load(std::memory_order_seq_cst);
    set_mask_of_worker(w, mask | blocked);
    os::set_signal_mask(mask | blocked);
  } while (blocked != blocked_by_members.load(std::memory_order_seq_cst));
}

void answer(uint64_t* mask) {
  Worker* w = worker_of_os_thread();
  if (w == nullptr) return;
  uint32_t request = requests.load(std::memory_order_acquire);  // pairs with ask's
  if (w->enters_plainly) begin_with(w, *mask);
  uintptr_t base = arch::tls_base();
  if (is_in_loop(w, base)) {
    *mask |= blocked_by_members.load(std::memory_order_relaxed);
    set_mask_of_worker(w, *mask);
    os::set_signal_mask(*mask | ~os::kAllSignals);  // before the answer, and not when the handler returns
  } else if (ult::ThreadSignals* signals = signals_under(w, base)) {
    deliver(*signals, *mask);
    signals->awaited.fetch_and(~kUndisturbed, std::memory_order_relaxed);
  }
  w->answered.store(request, std::memory_order_release);  // pairs with await_answer
  os::futex_wake(w->answered, INT32_MAX);
}

// An OS thread that is held by a debugger does not answer, nor one that ends.
void await_answer(Worker* w, uint32_t request) {
  uint64_t end = os::now() + durations::kErrand;
  for (;;) {
    uint32_t answered = w->answered.load(std::memory_order_acquire);  // pairs with answer
    if (static_cast<int32_t>(answered - request) >= 0 || !has_os_thread(w)) return;
    uint64_t now = os::now();
    if (now >= end) return;
    os::futex_wait_for(w->answered, answered, end - now);
  }
}

// Returns when all that are wanted have answered. The caller's own worker is not asked.
template <class Wanted>
void ask(Wanted wanted) {
  uint64_t asked[kMaxWorkers / 64] = {};
  uint32_t request = requests.fetch_add(1, std::memory_order_acq_rel) + 1;  // pairs with answer
  int own = os::kernel_thread_id();
  find_worker([&](Worker* w) {
    int id = w->kernel_id.load(std::memory_order_relaxed);
    if (id != own && wanted(w) && os::send_errand(id)) asked[w->index / 64] |= uint64_t{1} << w->index % 64;
    return false;
  });
  find_worker([&](Worker* w) {
    if ((asked[w->index / 64] >> w->index % 64 & 1) != 0) await_answer(w, request);
    return false;
  });
}

// Those in their loops block it as well.
void block_in_loops(SignalSet blocked) {
  blocked_by_members.fetch_or(blocked, std::memory_order_relaxed);  // ask() orders it
  ask([blocked](Worker* w) {
    // A stale look: it runs somebody, or did, who does not block it.
    return is_in_loop(w, look(w->tls)) && (blocked & ~w->mask_in_force.load(std::memory_order_relaxed)) != 0;
  });
}

// The caller's; null: it never entered the runtime.
ult::ThreadSignals* own_signals() {
  Entity* entity = current_of_os_thread();
  return entity == nullptr ? nullptr : signals_of(arch::tls_base());
}

// What that worker runs is as it enters it from here on.
void put_in_force(Worker* w) {
  ult::ThreadSignals* signals = signals_under(w, w->tls);
  if (signals == nullptr) return;
  SignalSet wanted = mask_of(*signals);
  if (wanted != w->mask_in_force.load(std::memory_order_relaxed)) {  // W: itself
    set_mask_of_worker(w, wanted);
    os::set_signal_mask(wanted);
  }
  arch::full_fence();  // after the store of the block in force; pairs with send_signal's
  deliver(*signals, wanted);
}

}  // namespace

void begin_signals(Worker* w) {
  w->enters_plainly = w->guests == Guests::none;
  arch::full_fence();  // after the store of its OS thread's id; pairs with begin_own_signals
  SignalSet mask = w->kind == WorkerKind::spare ? os::kept_signal_mask() : os::signal_mask();
  bool with_care = in_use.load(std::memory_order_relaxed);
  if (with_care) begin_with(w, mask);
  if (w->kind == WorkerKind::spare || (with_care && w->kind == WorkerKind::pool)) begin_loop(w, mask);
}

void enter_with_care(Worker* w, Entity* entity) {
  if (w->guests == Guests::none)
    set_current(entity);
  else
    set_current_beside_guests(w, entity);
  if (in_use.load(std::memory_order_relaxed) && w->guests != Guests::itself) put_in_force(w);
}

bool has_own_signals() {
  Entity* entity = current_of_os_thread();
  Worker* w = entity != nullptr ? entity->worker : nullptr;
  if (w == nullptr || w->tls != arch::tls_base()) return false;
  return w->root != entity || in_use.load(std::memory_order_relaxed);
}

void begin_own_signals() {
  if (in_use.load(std::memory_order_acquire) || !os::set_errand(answer)) return;
  Worker* own = worker_of_os_thread();
  SignalSet mask = os::signal_mask();
  first_mask.store(mask, std::memory_order_relaxed);
  in_use.store(true, std::memory_order_seq_cst);  // before the looks at workers; pairs with begin_signals
  arch::full_fence();
  if (own != nullptr && own->enters_plainly) begin_with(own, mask);
  ask([](Worker* w) { return w->enters_plainly; });
}

void note_signal_mask(SignalSet before) {
  Worker* w = worker_of_os_thread();
  ult::ThreadSignals* signals = w != nullptr ? signals_under(w, arch::tls_base()) : nullptr;
  if (signals == nullptr) return;
  SignalSet now = os::signal_mask();
  record(*signals, now);
  set_mask_of_worker(w, now);
  SignalSet blocked = now & ~before & ~kOfTheirCause;
  if (blocked != 0) block_in_loops(blocked);
  deliver(*signals, now);
}

bool send_signal(uintptr_t base, int signal) {
  ult::ThreadSignals* signals = signals_of(base);
  if (signals == nullptr) return false;
  begin_own_signals();
  // Before the look, and the request; pairs with deliver's.
  signals->pending.fetch_or(bit(signal), std::memory_order_seq_cst);
  arch::full_fence();
  if (base == arch::tls_base())
    deliver(*signals, os::signal_mask());
  else if (int id = os_thread_under(base))
    os::send_errand(id);
  return true;
}

int begin_await(SignalSet awaited) {
  ult::ThreadSignals* signals = own_signals();
  if (signals == nullptr) return 0;
  signals->awaited.store(awaited | kUndisturbed, std::memory_order_seq_cst);  // before the look; its handlers deliver from here on
  SignalSet there = signals->pending.load(std::memory_order_seq_cst) & awaited;
  if (there == 0) return 0;
  SignalSet first = there & (~there + 1);
  if ((signals->pending.fetch_and(~first, std::memory_order_relaxed) & first) == 0) return 0;
  signals->awaited.store(0, std::memory_order_relaxed);
  return __builtin_ctzll(first) + 1;
}

bool end_await() {
  ult::ThreadSignals* signals = own_signals();
  return signals != nullptr && (signals->awaited.exchange(0, std::memory_order_relaxed) & kUndisturbed) == 0;
}

int os_thread_under(uintptr_t base) {
  Worker* w = find_worker([base](Worker* other) { return look(other->tls) == base; });
  return w != nullptr ? w->kernel_id.load(std::memory_order_relaxed) : 0;  // relaxed: stale in any case
}

}  // namespace tulle::sched
