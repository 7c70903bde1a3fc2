// SPDX-License-Identifier: Apache-2.0
// How long the runtime waits before it does something else: every duration, tick and count of rounds, with its
// reason. A tick is the monitor's period (TULLE_MONITOR_TICK, 2 ms); other times are in nanoseconds, and a
// pause takes some 20 to 140.
#pragma once

#include <cstdint>

namespace tulle::sched::durations {

// --- polling, before a ULT suspends

// Looks without a pause: team mates on cores of their own arrive within them.
inline constexpr int kEagerRounds = 32;
// Then one pause each: a suspension and a wake-up cost about as much.
inline constexpr int kPollRounds = 200;
// Then by the clock, while this worker has nothing else: what comes later costs a wake-up in any case.
inline constexpr uint64_t kPoll = 20000;
// A lock's holder may want its line once more: looks seldom at first, pauses between two.
inline constexpr int kPatientRounds = 32;
inline constexpr int kPausesBetween = 4;
// The join leaves a member to a worker that polls for it so many pauses: as long as a claim takes.
inline constexpr int kGraceRounds = 100;

// --- without a stack or a place in a list: looks again after a sleep

inline constexpr uint64_t kNap = 100000;       // for memory that cannot be had: others must give it back
inline constexpr uint64_t kShortNap = 50000;   // at the task limit: tasks of 50 us are worth a thread
// Nobody runs anything that could give memory back; or only OS threads outside of regions do.
inline constexpr uint64_t kHopeless = 300000000;
inline constexpr uint64_t kHopelessBesideOthers = 3000000000;

// --- at the end of a loop

// Another member's batch is worth microseconds; it may be stuck in it, or its core be given to others.
inline constexpr uint64_t kBatchPatience = 10000000;

// --- at the task limit

// Nothing was finished: what is left may wait for the maker. Other makers may finish as many as they make.
inline constexpr uint64_t kMakerPatience = 10000000;
inline constexpr uint64_t kMakerPatienceBesideOthers = 500000000;

// --- the progress clock: deferred frames pass at kOldest, and age in each tick by what the workers do

inline constexpr uint32_t kOldest = 1000;           // 2 s in any case: no program waits that long for an order
inline constexpr uint32_t kAgeing = 1;
inline constexpr uint32_t kAgeingInPlace = 10;      // 200 ms: endless loops may still count down
inline constexpr uint32_t kAgeingIdle = 200;        // 10 ms: nothing moves, so nothing will

// --- the machine

inline constexpr uint64_t kBetweenLooksAtCpus = 100000000;  // masks change by hand, and a look takes system calls

}  // namespace tulle::sched::durations
