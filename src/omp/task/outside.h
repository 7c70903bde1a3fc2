// SPDX-License-Identifier: Apache-2.0
// Waiting for what happens outside of the runtime: a message, a device of somebody else's. The task suspends
// and its worker goes on with others. Such a wait is none of OpenMP's: it does not constrain which tasks may
// begin in the thread's name, defers nothing and is not deferred (sched/entity.h), for what is waited
// for may be the answer to what those others will say.
#pragma once

#include "omp/thread/team.h"
#include "sched/event.h"

namespace tulle::omp {

// The caller's OpenMP thread where it is in a parallel region: others may use its worker while it waits. Null elsewhere.
inline Thread* thread_in_region() {
  Thread* thread = self();
  return thread != nullptr && thread->team->level != 0 ? thread : nullptr;
}
inline bool in_region() { return thread_in_region() != nullptr; }

// A hint: something else could run now on the worker that carries `thread`, or could soon if the worker asks the
// pollers.
bool others_wait(const Thread* thread);

// Returns once the event has happened; pollers are asked meanwhile (sched/poller.h). In a region.
TULLE_MAY_SUSPEND void wait_outside(Thread* thread, sched::Event& event);

// Returns when the word of a lock was seen to differ from `expected`. Its holder may wait outside, for what tasks that
// have not begun will send: where tasks do such things, and while somebody does, who waits for it constrains
// nothing either, defers nothing and is not deferred. The calling OS thread is attached.
TULLE_MAY_SUSPEND void wait_for_holder(const std::atomic<uint32_t>& word, uint32_t expected);
// The same once, where the word has one of the bits. True: somebody woke the caller.
TULLE_MAY_SUSPEND bool suspend_for_holder(const std::atomic<uint32_t>& word, uint32_t bits);

// The caller asks in a loop for what comes from outside: each sixteenth time in vain others go first. In a region.
TULLE_MAY_SUSPEND void looked_in_vain(Thread* thread);

// A hint: something holds the end of `task` back beside its body.
inline bool is_held(const Task* task) {
  return (task->bits & kTaskDetachable) != 0 && task->holds.load(std::memory_order_relaxed) > 1;
}

// Holds the end of the current task back: it is complete when fulfill_event() was called for the result as
// often as this. Null: an implicit task, whose end is its region's.
Task* hold_end(Thread* thread);

}  // namespace tulle::omp
