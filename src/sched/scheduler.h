// SPDX-License-Identifier: Apache-2.0
// The scheduler's interface for the layers above. It knows no OpenMP: entities, bubbles and seats are
// all it sees. Functions marked TULLE_MAY_SUSPEND may return on another worker.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arch/cpu.h"
#include "sched/enter.h"
#include "sched/placing.h"
#include "sched/worker.h"

namespace tulle::sched {

inline constexpr uint64_t kEndless = UINT64_MAX;

struct Settings {
  int workers = 1;                     // usable cores
  bool follows_cpus = false;           // as many workers as there are CPUs, also when that changes
  uint64_t spin_ns = 0;                // how long a worker polls before it sleeps; kEndless: always
  uint64_t monitor_tick_ns = 2000000;  // period of the monitor while work waits
  size_t stack_size = size_t{8} << 20;
  bool sees_waits = true;  // the C library's (sched/blocking.h)
  uint32_t stack_limit = 0;            // memory::set_stack_limit
  // Called by the monitor, from its own OS thread, for an entity that runs in place (sched/watch.h)
  // while others wait behind it; may be null.
  void (*on_spin)(Entity* entity) = nullptr;
};

// Once, before anything else here, by the first thread that needs the runtime.
void configure(const Settings& settings);
const Settings& settings();
void set_spin(uint64_t spin_ns);

// Starts the pool's workers (settings().workers - 1), if that was not done; any thread. Returns how
// many there are: fewer when the system refuses OS threads.
int start_pool();

// The pool's workers; 1 <= i <= start_pool().
Worker* pool_worker(int i);

// Makes the calling OS thread a foreign worker that carries `root`, whose `frame` it runs from then on.
Worker* attach_foreign(Entity* root, Frame* frame);
// The calling OS thread ends; nothing of it waits anywhere. With the last one the pool ends too.
void detach_foreign(Worker* worker);

// Whether the caller's frames lie on the stack that w, which carries the caller, runs on: not where the program
// switches stacks by itself.
bool runs_on_its_stack(const Worker* w);

// While the initial thread of the process is known to live, the pool stays though no foreign OS thread
// is attached. The process ends when its last OS thread does, which must not be one of ours.
void initial_thread_lives();
void initial_thread_ends();

// Looks, now and then, whether the process may use other CPUs than before, its OS threads' masks taken
// together; if so, ends the pool, which starts again with as many workers as there are CPUs now. The
// caller is outside of all regions.
void follow_usable_cpus();

// Ends all OS threads that carry workers, and the monitor, unless other than `still_attached` foreign
// OS threads are attached: false. They start again when they are needed. The caller is outside of all
// regions.
bool stop_pool(uint32_t still_attached);

// Suspends the current entity's innermost frames. `commit(argument, ult)` runs when their context is saved: it
// registers `ult` where make_ready() will find it and returns true, or returns false if there is
// nothing to wait for any more.
using Commit = bool (*)(void* argument, Ult* ult);
struct Suspension {
  Commit commit;
  void* argument;
  bool defers;  // what lies below waits as long as this does (sched/entity.h)
  const std::atomic<uint32_t>* wakes = nullptr;  // counts those who were woken there (sched/deferral.h)
};
TULLE_MAY_SUSPEND void suspend(const Suspension& why);

// Who is told of suspensions: before the current entity's frames are suspended, and when they go on. Set once, by
// a thread whose suspensions matter.
struct SuspensionWatcher {
  void (*leaves)(Entity* entity, Frame* frame);
  void (*goes_on)(Entity* entity);
};
void watch_suspensions(const SuspensionWatcher* watcher);

// How often something was suspended so far. Any OS thread; while workers run it may lag behind.
uint64_t ults_made();

// Makes a suspended ULT runnable. Any OS thread, also one that the runtime does not know. False: it may
// have to wait until what its entity runs has ended, or for an entity to run in.
bool make_ready(Ult* ult);

// Holder of an entity of which nothing runs any more: gives it up, or queues it if ULTs of it became
// ready meanwhile. Never suspends.
void release(Entity* entity);

// From a worker's loop, holder of `entity`: goes over to a ULT that on_ready took, in the name of `entity`,
// on whose footing it goes on.
// Returns when the loop runs again; never to a stack that a call has come back to as a detached one.
void resume_as(Worker* worker, Entity* entity, Ult* ult, Footing footing);

// Lets what else waits for this worker run first, if there is something; what lies below the caller's frame
// too, unless it is deferred.
TULLE_MAY_SUSPEND void yield(bool defers = false);
// Suspends in any case, ready at once: everything else that this worker finds goes first.
// With `defers` not what lies below its frame.
TULLE_MAY_SUSPEND void step_aside(bool defers = false);

// Puts a bubble where idle workers find it, and wakes one. Owner only; pairs with withdraw().
void announce(Bubble* bubble, Worker* holder);
void withdraw(Bubble* bubble);
// Any thread, one at a time: from now on the bubble may open again and again. It is put into
// `holder`'s runqueue if it was in none, or where it was before.
void announce_for_good(Bubble* bubble, Worker* holder);

// Says whether each entity of the bubble has a seat of its own. Owner, before it publishes them.
void set_seated(Bubble* bubble, bool seated);
// The worker polls `seat` from now on, unless the seat that it polled needs it. The worker itself.
void take_seat(Worker* worker, Seat* seat);
// The worker is about to run something that does not belong to the seat that it polls, and polls none
// from now on. False: the seat needs it now. The worker itself.
bool leave_seat(Worker* worker);

// Wakes worker if it sleeps. True: it did, and nobody else woke it.
bool wake(Worker* worker);
// Wakes one idle worker if there is one: there is work that anybody may take. True: it did.
bool wake_any();
// Wakes the worker that holds the bubble, or if it does not sleep an idle one.
void wake_for(const Bubble* bubble);
// Some worker is asleep: a hint for producers of work.
bool somebody_sleeps();

// Puts the worker's own block in force, taking one for a foreign worker that has none yet: what
// runs from its loop must not run in the block of the OS thread's own frames.
void use_own_tls(Worker* worker);

// Moves the current entity to the worker `home` (a foreign thread back to its own OS thread).
TULLE_MAY_SUSPEND void go_to(Worker* home);

// A hint: this worker has something else to run.
inline bool something_waits(Worker* worker) {
  return worker->queue.has_entities() || worker->queue.has_open_bubble(worker) ||
         placed_waits_for(worker);
}

// Lets up to `count` OS threads beyond the usual number take work, as the monitor does when workers
// are stuck: for entities that must run at the same time.
void call_spares(uint32_t count);

uint32_t worker_count();    // made so far, foreign and spare ones included

// In the child after fork(): only the calling OS thread is left. Its entity, which may be null, and
// the worker that carries it stay; all others and what they ran are forgotten.
void reset_after_fork(Entity* entity);

}  // namespace tulle::sched
