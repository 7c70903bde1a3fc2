// SPDX-License-Identifier: Apache-2.0
// Signals of the calling OS thread, by the system itself: the C library's functions are those that src/abi/libc
// stands in front of. Bit n - 1 of a set is signal n.
#pragma once

#include <signal.h>

#include <cstdint>

namespace tulle::os {

// All but the two that are the C library's own.
inline constexpr uint64_t kAllSignals = ~(uint64_t{3} << 31);

// Those as well: no errand (os/errand.h) finds an OS thread with a mask that the runtime has in force for a moment.
inline constexpr uint64_t kAllAndErrands = ~uint64_t{0};

uint64_t signal_mask();
// Returns what it was.
uint64_t set_signal_mask(uint64_t mask);

// Those that wait until they are unblocked.
uint64_t pending_signals();

// Of the OS thread that called keep_signal_mask().
uint64_t kept_signal_mask();

// As pthread_kill() to oneself: at once, unless it is blocked.
void raise_signal(int signal);
// One that was taken comes again, as it was.
void raise_again(siginfo_t& info);

// It has no handler, and none is called by default.
bool is_ignored(int signal);

}  // namespace tulle::os
