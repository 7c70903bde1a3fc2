// SPDX-License-Identifier: Apache-2.0
// What is kept of the signals of one thread: a member's with its block, a foreign OS thread's with its worker. It is
// written by the thread itself and by handlers that interrupt it, but for `pending`, which anybody adds to. All this
// may be called in a signal handler.
#pragma once

#include "base/cacheline.h"
#include "sched/signals.h"
#include "sched/worker.h"

namespace tulle::sched {

constexpr SignalSet signal_bit(int signal) { return SignalSet{1} << (signal - 1); }

// In ThreadSignals::awaited: no errand has ended the system call in which the thread awaits signals. (The C library's own
// signal, else.)
inline constexpr SignalSet kUndisturbed = signal_bit(32);

extern TULLE_NEAR std::atomic<SignalSet> first_mask;  // as members begin

// Of the thread whose block it is; null: a worker's of ours, or unknown.
ult::ThreadSignals* signals_of(uintptr_t base);

// Of whoever runs on w under a block.
inline ult::ThreadSignals* signals_under(Worker* w, uintptr_t base) {
  return w->native_tls == base ? &w->signals : signals_of(base);
}

// The caller's; null: it never entered the runtime.
ult::ThreadSignals* own_signals();

void record_mask(ult::ThreadSignals& signals, SignalSet mask);
SignalSet mask_of(const ult::ThreadSignals& signals);

// What was sent to the thread in force and is not blocked, or is awaited, is raised on the calling OS thread.
void deliver(ult::ThreadSignals& signals, SignalSet mask);

}  // namespace tulle::sched
