// SPDX-License-Identifier: Apache-2.0
// The thread that awaits signals, amid a call of the C library's (abi/libc/members.cpp).
#include "os/signal_mask.h"
#include "sched/thread_signals.h"

namespace tulle::sched {

bool may_be_disturbed() { return own_signals() != nullptr; }

int begin_await(SignalSet awaited) {
  ult::ThreadSignals* signals = own_signals();
  if (signals == nullptr) return 0;
  // Before the look; its handlers deliver from here on.
  signals->awaited.store(awaited | kUndisturbed, std::memory_order_seq_cst);
  SignalSet there = signals->pending.load(std::memory_order_seq_cst) & awaited;
  if (there == 0) return 0;
  SignalSet first = there & (~there + 1);
  if ((signals->pending.fetch_and(~first, std::memory_order_relaxed) & first) == 0) return 0;
  signals->awaited.store(0, std::memory_order_relaxed);
  return __builtin_ctzll(first) + 1;
}

bool end_await() {
  ult::ThreadSignals* signals = own_signals();
  SignalSet left = signals != nullptr ? signals->awaited.exchange(0, std::memory_order_relaxed) : kUndisturbed;
  return (left & kUndisturbed) == 0;
}

SignalSet awaited_now() {
  const ult::ThreadSignals* signals = own_signals();
  return signals != nullptr ? signals->awaited.load(std::memory_order_relaxed) : 0;
}

void await_again(SignalSet awaited) {
  ult::ThreadSignals* signals = awaited != 0 ? own_signals() : nullptr;
  if (signals == nullptr) return;
  signals->awaited.store(awaited & ~kUndisturbed, std::memory_order_seq_cst);  // before the look, as in begin_await
  deliver(*signals, os::signal_mask());
}

}  // namespace tulle::sched
