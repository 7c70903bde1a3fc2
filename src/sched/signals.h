// SPDX-License-Identifier: Apache-2.0
// Signals of whole members. The kernel keeps masks and directed signals for OS threads; a member that asks for a
// mask of its own has it in force wherever it runs, and a signal that is sent to it arrives on the worker that
// runs it, or where none does in an OS thread made for it (sched/visit.h), once it does not block it. Nothing is paid
// before anybody in a region changes its mask or sends a signal to a member: from then on every worker enters with care.
//
// A worker in its loop is no thread of the program: it blocks what any member has blocked so far, but for signals
// that those who run there last did not block. So a process's signal that all threads of the program block waits
// for sigwait().
//
// Workers are asked by a signal that nobody can block (os/errand.h), in whose handler they see to the request:
// that pairs with all that is written before. Everything here may be called in a signal handler.
//
// Ordering of a signal sent to a member against the worker that puts it in force: the sender stores the signal,
// passes a fence, and looks which worker has the member's block; the worker stores that, passes a fence, and looks
// at the member's signals. One of the two sees the other. A worker that does not enter with care yet is asked.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"

namespace tulle::sched {

struct Entity;
struct Worker;

// The kernel's: bit n - 1 is signal n.
using SignalSet = uint64_t;

// The worker's OS thread goes by this record from now on, and has entered nothing so far. A spare's, which the
// monitor has started, gets a mask.
void begin_signals(Worker* w);

// The slow end of enter(): the current entity, its mask, what was sent to it; that only where the caller is on the
// thread's own stack already. Else it calls handle_signals() there.
TULLE_COLD void enter_with_care(Worker* w, Entity* entity);
TULLE_COLD void handle_signals(Worker* w);
// Before enter() where w runs a thread on its stack, which it will leave for that of the block's thread.
TULLE_COLD void prepare_to_enter(Worker* w, uintptr_t base);

// Some thread has asked for a mask or sent a signal. Relaxed: who has not seen it enters as before, and is asked.
extern TULLE_NEAR std::atomic<bool> signals_in_use;

// What runs on w has sent signals to others since it was suspended last, and may have stopped them wherever they were:
// it takes no locks of the runtime's for a wait of the program's.
bool has_sent_signals(const Worker* w);

// Whether the caller's mask is the runtime's matter: it runs in a region, or its OS thread may run others later.
bool has_own_signals();
// Before such a caller changes its mask; if that is to block some; and after it did; before: as it was.
void begin_own_signals();
void note_blocking(SignalSet mask);
void note_signal_mask(SignalSet before);

// To the thread of a block: a member's, or that of an OS thread of the program that enters regions. False: it is
// another's.
bool send_signal(uintptr_t base, int signal);

// The caller's waits for signals may be ended by the runtime, now or later.
bool may_be_disturbed();

// Around sigwait() and its like: a signal of the set that was sent to the caller and is taken, or 0; those that come
// until the end find the OS thread. End: whether the runtime may have ended a system call meanwhile.
int begin_await(SignalSet awaited);
bool end_await();
// Around those two in a handler, which may have interrupted such a wait.
SignalSet awaited_now();
void await_again(SignalSet awaited);

// The kernel's id of the OS thread that runs under a block now; 0: none does. Stale when it returns.
int os_thread_under(uintptr_t base);

}  // namespace tulle::sched
