// SPDX-License-Identifier: Apache-2.0
// How long the runtime waits before it does something else: every duration, tick and count of rounds, with its
// reason. A tick is the monitor's period (TULLE_MONITOR_TICK, 2 ms); other times are in nanoseconds where nothing
// else is said. Short ones are counted by pauses (os::pauses_in).
#pragma once

#include <cstdint>

namespace tulle::sched::durations {

// --- polling, before a ULT suspends

// Looks without a pause: team mates on cores of their own arrive within them.
inline constexpr int kEagerRounds = 32;
// Then with a pause between two: a suspension and a wake-up cost about as much.
inline constexpr uint64_t kPollBriefly = 4000;
// Then by the clock, while this worker has nothing else: what comes later costs a wake-up in any case.
inline constexpr uint64_t kPoll = 20000;
// As long where to suspend costs system calls that interrupt the cores of all others (barriers of flat teams), or a device's
// OS thread its core: then they are a twentieth of the wait.
inline constexpr uint64_t kPollOn = 200000;
// A lock's holder may want its line once more: looks seldom at first, with so much between two. A look costs the holder a
// transfer of the line, ten of its turns. Where members ask in a loop for what another is to do, whose turn is the answer.
inline constexpr int kPatientLooks = 3;
inline constexpr uint64_t kBetweenPatientLooks = 250, kBetweenLooks = 60;
// Its holder takes it again for so long while one who waits for it is behind on the same worker, and looks at the clock after
// so many turns and each time that they have doubled.
inline constexpr uint64_t kLockBurst = 80000;
inline constexpr uint64_t kLockBurstTurns = 8;  // a power of two
// The join leaves a member to a worker that polls for it so long: as a claim takes, on a busy machine.
inline constexpr uint64_t kGrace = 2000;
// The same in a team of more than a few, whose publication alone takes microseconds.
inline constexpr uint64_t kLargeGrace = 20000;
// A member of such a team that waits leaves others to their workers for as long as an OS thread takes to start or wake up.
inline constexpr uint64_t kStartGrace = 100000;

// Members that spin for each other and wait for workers: those of a gang that goes first take microseconds each, and where none
// has ended for a tick they begin on OS threads of their own; so too where others have gone first for long enough. Where some have
// already, these have the cores for time slices, and a gang takes as long to end.
inline constexpr uint64_t kGangPatience = 2000000, kGangPatienceBesideSpares = 8000000;
inline constexpr uint64_t kAllGangsPatience = 100000000;
// Gangs that wait in vain at once do it for one reason: an operating system's slice, say.
inline constexpr uint64_t kGangsInVain = 10000000;
// And a gang for its members: as long as an OS thread takes to come.
inline constexpr uint64_t kGangGrace = 50000, kGangGraceBesideSpares = 2000000;

// --- without a stack or a place in a list: looks again after a sleep

inline constexpr uint64_t kNap = 100000;       // for memory that cannot be had: others must give it back
inline constexpr uint64_t kShortNap = 50000;   // at the task limit: tasks of 50 us are worth a thread
// Nobody runs anything that could give memory back; or only OS threads outside of regions do.
inline constexpr uint64_t kHopeless = 300000000;
inline constexpr uint64_t kHopelessBesideOthers = 3000000000;

// --- falling asleep

// A worker of the pool waits so long, its core left to others, for more that fall asleep and need the same fence.
inline constexpr uint64_t kGather = 100000;

// --- a CPU's number that another worker wants

// A worker that computes for so long without a step is in no library's call, which takes microseconds of its core; one
// that does not may wait there for another one's, but not for ever.
inline constexpr uint64_t kNumberComputes = 100000000;
inline constexpr uint64_t kNumberPatience = 10000000000;

// --- at the end of a loop

// Another member's batch is worth microseconds; it may be stuck in it, or its core be given to others.
inline constexpr uint64_t kBatchPatience = 10000000;

// --- at the task limit

// Nothing was finished: what is left may wait for the maker. Other makers may finish as many as they make.
inline constexpr uint64_t kMakerPatience = 10000000;
inline constexpr uint64_t kMakerPatienceBesideOthers = 500000000;

// --- a worker without work

inline constexpr uint64_t kYieldEvery = 20000;  // polling between two looks at who else wants the core
// An active policy too leaves the core to others when the program sits outside of regions: to wake up
// after this long costs less than a thousandth of it.
inline constexpr uint64_t kEndlessInFact = 100000000;
// To leave a seat that its team relies on costs a system call and an interrupt of every worker, about this
// long: a worker polls for its next region as long before it looks for others' work.
inline constexpr uint64_t kSeatPatience = 10000;

// --- who makes short tasks, and who could take them; in cycles of the processor

// For the next of a maker's short tasks to be complete: what eight of them take at a thief.
inline constexpr uint64_t kDrainPatience = 4000;
// The same for one that gives way to the first that is tried, and to those that this one waits for.
inline constexpr uint64_t kTrialPatience = 40000;
// A worker that has found something placed for so long, but not for it, asks the policies; one that has not looked for so
// long begins anew.
inline constexpr uint64_t kBeforeAsking = 20000, kBetweenLooksAtPlaced = 3000;
// After a theft that was not worth it a thief leaves the others' tasks alone, longer if it happens again.
inline constexpr uint64_t kShortestRest = 2000, kLongestRest = 4000;
// A helper of a graph's replay: between two looks, each of which takes the line from who runs it; the longer its tasks
// were short, the longer. And for the first of them to begin.
inline constexpr uint64_t kFirstReplayRest = 3000, kLongestReplayRest = 24000, kReplayWaking = 100000;

// --- devices

// Whoever polled for a region's end, for a fraction of that long, has given its core to others meanwhile.
inline constexpr uint64_t kOthersTurn = 1000000;

inline constexpr uint64_t kBetweenLooksAtProcess = 50000000;  // at whether it lives, while an answer is waited for

// --- what comes from outside, asked for by pollers (sched/poller.h)

inline constexpr uint64_t kBetweenEntities = 50000;   // by a worker that has work: a look costs up to a microsecond
inline constexpr uint64_t kMonitorPatience = 200000;  // by the monitor, where all workers compute
// By one of the sleepers: each sixteenth of the time that nothing has come for, at a twentieth of a core's cost in the end.
inline constexpr uint64_t kShortestWatch = 20000, kLongestWatch = 200000, kWatchShare = 16;
// A nap is as long as it says.
inline constexpr uint64_t kWatchSlack = 1000;

// --- the monitor, in ticks

// Without a decision before a worker counts as stuck: asleep in the kernel, or running.
inline constexpr uint32_t kBlockedTicks = 2;
inline constexpr uint32_t kRunningTicks = 10;
// The same if it may yet come by itself: others have its core, or it computes and no core is idle.
inline constexpr uint32_t kPatientTicks = 100;
inline constexpr uint32_t kBurstTicks = 3;   // between one burst of spares and the next: they need some time to begin
inline constexpr uint32_t kQuietTicks = 50;  // without waiting work before the monitor sleeps: to arm it is a system call
inline constexpr uint32_t kSlowTicks = 10;   // after these, between two looks while tasks may come

// --- memory of a burst

// Stacks that nobody takes for so long, and up to twice as long, are unmapped: bursts that come each second reuse them.
inline constexpr uint64_t kBetweenTrims = 1000000000;
// Between two stacks beyond TULLE_STACK_LIMIT: as long as it takes to call a standstill one.
inline constexpr uint64_t kBetweenStacksBeyond = 10000000;

// --- the progress clock: deferred frames pass at kOldest, and age in each tick by what the workers do

inline constexpr uint32_t kOldest = 1000;           // 2 s in any case: no program waits that long for an order
inline constexpr uint32_t kAgeing = 1;
inline constexpr uint32_t kAgeingInPlace = 10;      // 200 ms: endless loops may still count down
inline constexpr uint32_t kAgeingIdle = 200;        // 10 ms: nothing moves, so nothing will

// --- what waits behind a worker that takes one step after another, for instance to poll by regions of its own

inline constexpr uint32_t kOverdue = 10;           // ticks: as for who takes none, whose spares come then
inline constexpr uint32_t kOverdueAgain = 3;       // where it was so before, and something has waited ever since
inline constexpr uint32_t kTurnsWhenOverdue = 64;  // of those that wait, before what ran goes on undisturbed

// --- whoever takes locks of the program's own one after another: so many between two looks at the clock, and so long between
// two times that those on spares have the core, a tenth of what an operating system leaves them waiting

inline constexpr uint32_t kLocksBetween = 64;
inline constexpr uint64_t kLocksPatience = 100000;

// --- members that wait for an object of the program's, in ticks (sched/program_wait.h)

// 10 ms: whoever waits longer may as well pay for a wake-up, and those who announce may not be seen.
inline constexpr uint32_t kProgramPatience = 5;

// --- the machine

inline constexpr uint64_t kBetweenLooksAtCpus = 100000000;  // masks change by hand, and a look takes system calls

// --- signals of members (sched/signals.h)

inline constexpr uint64_t kErrand = 50000000;  // an OS thread that is held by a debugger does not answer
inline constexpr uint64_t kErrandAgain = 1000000;
inline constexpr uint64_t kFirstErrand = 3000000000;  // the same, which has to be waited for
// Between two stacks, where it handles no signal, a member is for less than a microsecond, if nothing takes its CPU.
inline constexpr uint64_t kSignalPatience = 1000000000;

}  // namespace tulle::sched::durations
