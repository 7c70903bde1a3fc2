// SPDX-License-Identifier: Apache-2.0
#include "sched/thread_signals.h"

#include "os/signal_mask.h"
#include "sched/in_force.h"

namespace tulle::sched {

std::atomic<SignalSet> first_mask{0};

ult::ThreadSignals* signals_of(uintptr_t base) {
  if (ult::TlsBlock* block = ult::lent_block(base)) return &block->signals;
  Worker* owner = foreign_owner(base);
  return owner != nullptr ? &owner->signals : nullptr;
}

ult::ThreadSignals* own_signals() {
  return current_of_os_thread() != nullptr ? signals_of(arch::tls_base()) : nullptr;
}

void record_mask(ult::ThreadSignals& signals, SignalSet mask) {
  signals.mask.store(mask, std::memory_order_relaxed);  // relaxed, as below: its own, and its handlers'
  signals.has_mask.store(true, std::memory_order_relaxed);
}

SignalSet mask_of(const ult::ThreadSignals& signals) {
  return signals.has_mask.load(std::memory_order_relaxed) ? signals.mask.load(std::memory_order_relaxed)
                                                          : first_mask.load(std::memory_order_relaxed);
}

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

}  // namespace tulle::sched
