// SPDX-License-Identifier: Apache-2.0
// Events outside of the process that ULTs wait for, a message say, and nobody announces: pollers ask whether one has
// come, and make the ULT ready. They are asked only while something is awaited: by workers without work, one
// at a time, by a worker between two things that it runs if nobody asked for a while, else by the monitor.
//
// Ordering: await_begin() counts (a full fence), then looks for sleepers; a sleeper counts itself, issues the
// heavy fence, then looks at `awaited`: one of the two sees the other (sched/idle.cpp).
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"

namespace tulle::sched {

// Nonzero: something came that somebody waited for. Never suspends; any OS thread, one at a time.
using Poll = int (*)(void* argument);

// For good. False: there are too many.
bool register_poller(Poll poll, void* argument);

extern TULLE_NEAR std::atomic<uint32_t> awaited;  // W: any; how much is awaited

inline bool something_awaited() { return awaited.load(std::memory_order_relaxed) != 0; }  // a hint

// One thing more is awaited, one less. Any OS thread.
void await_begin();
void await_end();

// Asks all pollers, unless somebody else does. True: something came.
bool ask_pollers();
// The same if nobody has asked for so long, in nanoseconds.
bool ask_pollers_after(uint64_t patience);

// The right to ask while all others sleep; given back before its owner does anything else.
bool take_watch();
void end_watch();
bool is_watched();

void reset_pollers_after_fork();

}  // namespace tulle::sched
