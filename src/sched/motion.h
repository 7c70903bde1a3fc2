// SPDX-License-Identifier: Apache-2.0
// Whether anything moves: the one detector of a standstill. Who acts on it waits for as long as sched/durations.h
// says: the progress clock lets deferred frames pass, and what has no stack to go on gives up.
#pragma once

#include <cstdint>

namespace tulle::sched {

struct Worker;

// The workers' activity: none; nothing but that OS threads of the program are busy outside of regions, which can end a
// wait only by what they hold from before, a lock say; nothing but run in place besides; else.
enum class Motion : uint8_t { none, outside, in_place, onwards };

// Any OS thread; a hint, to be asked again.
Motion motion();

// Whether w has something to run and the operating system runs others meanwhile: it does not sleep in the kernel, and
// since its CPU time was `before` it had less than `enough`, in nanoseconds.
bool lacks_core(const Worker* w, uint64_t before, uint64_t enough);

// Whether w, which has made no step since the monitor noted its CPU time, has had its core nearly all the time since.
bool ran_since(const Worker* w, uint64_t cpu_time);

}  // namespace tulle::sched
