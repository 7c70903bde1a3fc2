// SPDX-License-Identifier: Apache-2.0
#include "sched/signals.h"

#include <signal.h>

#include "arch/cpu.h"
#include "os/clock.h"
#include "os/errand.h"
#include "os/futex.h"
#include "os/keep_errno.h"
#include "os/signal_mask.h"
#include "os/thread.h"
#include "sched/durations.h"
#include "sched/guest.h"
#include "sched/in_force.h"
#include "sched/thread_signals.h"
#include "sched/visit.h"
#include "sched/worker.h"
#include "sched/workers.h"

namespace tulle::sched {

std::atomic<bool> signals_in_use{false};  // from the first request on; pairs with begin_signals

namespace {

// What the kernel sends to the OS thread that brought it about: for no idle worker.
constexpr SignalSet kOfTheirCause = signal_bit(SIGSEGV) | signal_bit(SIGBUS) | signal_bit(SIGFPE) | signal_bit(SIGILL) |
                                    signal_bit(SIGTRAP) | signal_bit(SIGSYS) | signal_bit(SIGPIPE);

std::atomic<bool> all_enter_with_care{false};  // in use, and all workers know
std::atomic<SignalSet> blocked_by_members{0};  // by any of them, so far
std::atomic<uint32_t> requests{0};

Worker* worker_of_os_thread() {
  int id = os::kernel_thread_id();
  // Relaxed: its own.
  return find_worker([id](Worker* w) { return w->kernel_id.load(std::memory_order_relaxed) == id; });
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

// In its handler, or on the worker itself: from now on it enters with care. Nobody has changed its mask so far. That of the
// moment may be a handler's, but of the program's own OS threads nothing else is known.
void begin_with(Worker* w, SignalSet of_the_moment) {
  const SignalSet mask =
      w->kind == WorkerKind::foreign ? of_the_moment : w->mask_in_force.load(std::memory_order_relaxed);
  if (w->kind == WorkerKind::pool) first_mask.store(mask, std::memory_order_relaxed);
  record_mask(w->signals, mask);
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

// What the mask of the moment alone blocks, a handler's, is handled when that ends, by the same OS thread. Nothing is
// before the errand's own handler has ended.
void deliver_in_errand(ult::ThreadSignals& signals, SignalSet mask) {
  os::set_signal_mask(~SignalSet{0});  // the next errands' too: those of an OS thread that was held would pile up
  deliver(signals, mask & mask_of(signals));
  signals.awaited.fetch_and(~kUndisturbed, std::memory_order_relaxed);
}

void answer_as_visitor(SignalSet mask) {
  uintptr_t base = arch::tls_base();
  const memory::Stack* stack = own_stack(base);
  ult::ThreadSignals* signals = signals_of(base);
  if (stack == nullptr || signals == nullptr) return;
  // Relaxed in both: its own.
  bool is_visitor = stack->visitor.load(std::memory_order_relaxed) == static_cast<uint32_t>(os::kernel_thread_id());
  if (is_visitor && !signals->visitor_ends.load(std::memory_order_relaxed)) deliver_in_errand(*signals, mask);
}

void answer(uint64_t* mask, const void* interrupted) {
  Worker* w = worker_of_os_thread();
  if (w == nullptr) {
    answer_as_visitor(*mask);
    return;
  }
  uint32_t request = requests.load(std::memory_order_acquire);  // pairs with ask's
  if (is_departing(w)) return;  // it is asked again; as one that enters plainly it goes on so
  if (w->enters_plainly) begin_with(w, *mask);
  uintptr_t base = arch::tls_base();
  if (is_in_loop(w, base)) {
    *mask |= blocked_by_members.load(std::memory_order_relaxed);
    set_mask_of_worker(w, *mask);
    os::set_signal_mask(*mask | ~os::kAllSignals);  // before the answer, and not when the handler returns
  } else {
    ult::ThreadSignals* signals = signals_under(w, base);
    if (signals != nullptr && w->tls == base && !w->between_stacks && is_at_its_place(w, interrupted))
      deliver_in_errand(*signals, *mask);
  }
  w->answered.store(request, std::memory_order_release);  // pairs with await_answer
  os::futex_wake(w->answered, INT32_MAX);
}

// An OS thread that is held by a debugger does not answer, nor one that ends.
void await_answer(Worker* w, uint32_t request, uint64_t patience) {
  uint64_t end = os::now() + patience;
  for (;;) {
    uint32_t answered = w->answered.load(std::memory_order_acquire);  // pairs with answer
    if (static_cast<int32_t>(answered - request) >= 0 || !has_os_thread(w)) return;
    if (os::now() >= end) return;
    if (!os::futex_wait_for(w->answered, answered, durations::kErrandAgain))
      os::send_errand(w->kernel_id.load(std::memory_order_relaxed));
  }
}

// Returns when all that are wanted have answered. The caller's own worker is not asked.
template <class Wanted>
void ask(Wanted wanted, uint64_t patience = durations::kErrand) {
  uint64_t asked[kMaxWorkers / 64] = {};
  uint32_t request = requests.fetch_add(1, std::memory_order_acq_rel) + 1;  // pairs with answer
  int own = os::kernel_thread_id();
  find_worker([&](Worker* w) {
    int id = w->kernel_id.load(std::memory_order_relaxed);
    if (id != own && wanted(w) && os::send_errand(id)) asked[w->index / 64] |= uint64_t{1} << w->index % 64;
    return false;
  });
  find_worker([&](Worker* w) {
    if ((asked[w->index / 64] >> w->index % 64 & 1) != 0) await_answer(w, request, patience);
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

// What that worker runs is as it enters it from here on.
void put_in_force(Worker* w) {
  if (const memory::Stack* stack = own_stack(w->tls)) await_visitor(stack);
  ult::ThreadSignals* signals = signals_under(w, w->tls);
  if (signals == nullptr) return;
  SignalSet wanted = mask_of(*signals);
  if (wanted != w->mask_in_force.load(std::memory_order_relaxed)) {  // W: itself
    set_mask_of_worker(w, wanted);
    os::set_signal_mask(wanted);
  }
  arch::full_fence();  // after the store of the block in force; pairs with send_signal's
  if (!is_at_its_place(w, __builtin_frame_address(0))) return;
  w->between_stacks = false;
  deliver(*signals, wanted);
}

// The visitor's own code, under the thread's block and below its frames.
int handle_as_visitor(void*) {
  os::KeepErrno keep;
  uintptr_t base = arch::tls_base();
  ult::ThreadSignals* signals = signals_of(base);
  if (signals == nullptr) return 0;
  SignalSet mask;
  do {
    signals->visitor_ends.store(false, std::memory_order_relaxed);
    mask = mask_of(*signals);
    os::set_signal_mask(mask);
    deliver(*signals, mask);
    signals->visitor_ends.store(true, std::memory_order_seq_cst);  // an errand raises nothing that would end with it
    os::set_signal_mask(os::kAllSignals);
    arch::full_fence();  // before the look; pairs with send_signal's
  } while ((signals->pending.load(std::memory_order_seq_cst) & ~mask) != 0);
  return 0;
}

// The thread learns of what was sent to it, wherever it is just now. True: there is a visitor, which handles it, at the
// latest before it ends.
bool tell(uintptr_t base, memory::Stack* stack, const ult::ThreadSignals& signals) {
  uint32_t visitor = stack != nullptr ? stack->visitor.load(std::memory_order_seq_cst) : 0;
  if (visitor == 0) {
    if (worker_under(base) == nullptr) return stack != nullptr && begin_visit(base, stack, handle_as_visitor);
    ask([base](const Worker* w) { return look(w->tls) == base; });
    return false;
  }
  if (visitor == kClaimed || signals.visitor_ends.load(std::memory_order_seq_cst)) return false;
  os::send_errand(static_cast<int>(visitor));
  return true;
}

// Returns once the signal is the matter of one OS thread, or is blocked. What has not come that far after a while is
// handled when the thread runs again.
void see_to(uintptr_t base, const ult::ThreadSignals& signals, SignalSet sent) {
  memory::Stack* stack = own_stack(base);
  const uint64_t end = os::now() + durations::kSignalPatience;
  for (uint32_t tries = 0;; ++tries) {
    // Relaxed: the thread looks for itself after it has changed them.
    SignalSet awaited = signals.awaited.load(std::memory_order_relaxed);
    if ((signals.pending.load(std::memory_order_seq_cst) & sent & (~mask_of(signals) | awaited)) == 0) return;
    if (tell(base, stack, signals)) return;
    if (tries < 8) continue;
    if (os::now() >= end || (stack == nullptr && worker_under(base) == nullptr)) return;
    os::sleep_for(durations::kShortNap);
  }
}

}  // namespace

void begin_signals(Worker* w) {
  w->enters_plainly = w->guests == Guests::none;
  arch::full_fence();  // after the store of its OS thread's id; pairs with begin_own_signals
  SignalSet mask = w->kind == WorkerKind::spare ? os::kept_signal_mask() : os::signal_mask();
  bool with_care = signals_in_use.load(std::memory_order_relaxed);
  set_mask_of_worker(w, mask);
  if (with_care) begin_with(w, mask);
  if (w->kind == WorkerKind::spare || (with_care && w->kind == WorkerKind::pool)) begin_loop(w, mask);
}

void enter_with_care(Worker* w, Entity* entity) {
  if (w->guests == Guests::none)
    set_current(entity);
  else
    set_current_beside_guests(w, entity);
  if (signals_in_use.load(std::memory_order_relaxed) && w->guests != Guests::itself) put_in_force(w);
}

void handle_signals(Worker* w) {
  w->between_stacks = false;
  set_looked_at(w->entering, uintptr_t{0});
  if (!signals_in_use.load(std::memory_order_relaxed) || w->guests == Guests::itself) return;
  ult::ThreadSignals* signals = signals_under(w, w->tls);
  if (signals == nullptr) return;
  signals->has_sent.store(false, std::memory_order_relaxed);
  deliver(*signals, mask_of(*signals));
}

void prepare_to_enter(Worker* w, uintptr_t base) {
  const memory::Stack* stack = own_stack(base);
  if (stack == nullptr || !signals_in_use.load(std::memory_order_relaxed)) return;
  for (;;) {
    w->between_stacks = true;
    set_looked_at(w->entering, base);
    if (has_no_visitor(stack)) return;
    handle_signals(w);
    await_visitor(stack);
  }
}

bool has_sent_signals(const Worker* w) {
  if (w->enters_plainly || !signals_in_use.load(std::memory_order_relaxed)) return false;
  const ult::ThreadSignals* signals = signals_of(w->tls);
  return signals != nullptr && signals->has_sent.load(std::memory_order_relaxed);  // its own
}

bool has_own_signals() {
  Entity* entity = current_of_os_thread();
  Worker* w = entity != nullptr ? entity->worker : nullptr;
  if (w == nullptr || w->tls != arch::tls_base()) return false;
  return w->root != entity || signals_in_use.load(std::memory_order_relaxed);
}

void begin_own_signals() {
  if (all_enter_with_care.load(std::memory_order_acquire) || !os::set_errand(answer)) return;  // pairs with the store below
  Worker* own = worker_of_os_thread();
  SignalSet mask = os::signal_mask();
  // Whoever comes while others are asked may be in a handler, and a worker has told more than the caller knows.
  if (!signals_in_use.load(std::memory_order_acquire)) first_mask.store(mask, std::memory_order_relaxed);
  signals_in_use.store(true, std::memory_order_seq_cst);  // before the looks at workers; pairs with begin_signals
  arch::full_fence();
  if (own != nullptr && own->enters_plainly) begin_with(own, mask);
  // Who enters plainly goes on with frames below which a signal may be handled meanwhile. So nobody sends any before all
  // have answered, however long another program keeps one of them from its CPU.
  ask([](Worker* w) { return w->enters_plainly; }, durations::kFirstErrand);
  all_enter_with_care.store(true, std::memory_order_release);
}

void note_blocking(SignalSet mask) {
  Worker* w = worker_of_os_thread();
  ult::ThreadSignals* signals = w != nullptr ? signals_under(w, arch::tls_base()) : nullptr;
  if (signals != nullptr) record_mask(*signals, mask);
}

void note_signal_mask(SignalSet before) {
  Worker* w = worker_of_os_thread();
  ult::ThreadSignals* signals = w != nullptr ? signals_under(w, arch::tls_base()) : nullptr;
  if (signals == nullptr) return;
  SignalSet now = os::signal_mask();
  record_mask(*signals, now);
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
  signals->pending.fetch_or(signal_bit(signal), std::memory_order_seq_cst);
  arch::full_fence();
  if (base == arch::tls_base()) {
    deliver(*signals, os::signal_mask());
    return true;
  }
  if (ult::ThreadSignals* own = own_signals()) own->has_sent.store(true, std::memory_order_relaxed);
  see_to(base, *signals, signal_bit(signal));
  return true;
}

int os_thread_under(uintptr_t base) {
  const Worker* w = worker_under(base);
  return w != nullptr ? w->kernel_id.load(std::memory_order_relaxed) : 0;  // relaxed: stale in any case
}

}  // namespace tulle::sched
