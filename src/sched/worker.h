// SPDX-License-Identifier: Apache-2.0
// A worker: an OS thread that carries ULTs. Pool workers are the runtime's own, as many as usable
// cores less one; spares stand in for a worker that does not come back; a foreign worker is a
// pthread of the program that entered a region. Workers' memory is never unmapped.
#pragma once

#include <atomic>
#include <cstdint>

#include "arch/cpu.h"
#include "base/cacheline.h"
#include "memory/stack_pool.h"
#include "sched/entity.h"
#include "sched/overdue.h"
#include "sched/runqueue.h"
#include "sched/seat.h"
#include "sched/watch.h"
#include "sync/gate.h"
#include "ult/port_contract.h"
#include "ult/sanitizer.h"
#include "ult/tls_block.h"

namespace tulle::sched {

struct Crew;

enum class WorkerKind : uint8_t { pool, spare, foreign };

// Of Worker::asleep: the worker sleeps because it found no work, or is in a blocking section
// (sched/blocking.h) and does not come back to what waits behind it.
inline constexpr uint32_t kAsleep = 1, kAway = 2;

// User-level threads of the program (sched/guest.h): none that is known runs on the worker's OS thread; they
// run there beside the worker's own entities; the worker is the record of one, on whichever OS thread that runs.
enum class Guests : uint8_t { none, beside, itself };

// Where a worker sleeps: at its own word, at one that it shares (sched/sleepers.cpp), or with the host whose guest it is.
enum class Bed : uint8_t { own, shared, host };

struct TULLE_PAIR_ALIGNED Worker {
  // Fixed once made.
  uint32_t index = 0;  // among all workers
  WorkerKind kind = WorkerKind::pool;
  std::atomic<int> kernel_id{0};
  std::atomic<const Crew*> crew{nullptr};  // that it works in (sched/crew.h); W: who makes it, or itself
  // Leaf of the tree of runqueues that is its own. Of a spare, the monitor says which.
  std::atomic<uint32_t> leaf{0};  // R: thieves, as a hint
  uintptr_t native_tls = 0;  // the OS thread's own block
  Guests guests = Guests::none;  // W: the worker itself; R: whoever wakes it
  bool enters_plainly = true;    // no guests, no signals to see to (sched/signals.h); W: itself, its handlers
  bool between_stacks = false;   // it is about to go on elsewhere, and handles no signals; W: itself; R: its handlers
  uintptr_t entering = 0;        // then, the block that it will put in force; W: itself; R: senders of signals

  // W: the worker itself; R of the atomic ones: the monitor, which may be a tick late.
  TULLE_PAIR_ALIGNED std::atomic<uint64_t> steps{0};  // scheduling decisions and calls so far
  std::atomic<bool> busy{false};                       // runs an entity
  // So many of its next looks for work begin with other things. W: itself; the monitor (sched/overdue.h).
  std::atomic<uint32_t> entities_last{0};
  bool steals_first = false;   // W: itself; and those may be other workers'
  bool begins_first = false;   // W: itself; its last turn to give went to what has not begun
  uint32_t turns = 0;          // W: itself; times that an entity gave way here
  uint32_t program_locks = 0;  // W: itself; the program's own that were taken here
  uint64_t locks_passed_at = 0;  // W: itself; when others were last let pass for their sake (os::now)
  uint32_t blocking_depth = 0;  // W: itself; blocking sections that it is in
  uint64_t blocked_since = 0;   // W: itself; 0: nobody watches
  std::atomic<uint32_t> inside{0};  // calls of libraries that it is amid (sched/give_way.h)
  std::atomic<bool> takes_work{false};  // pool, spare: its OS thread goes by its loop; W: who starts it too
  std::atomic<Entity*> running{nullptr};               // which one, if it was called or resumed
  uintptr_t own_tls = 0;  // block that its loop, and entities without one, run under; 0: not yet
  uintptr_t tls = 0;      // block in force
  ult::TlsBlock* lent_tls = nullptr;  // owner of own_tls on a foreign worker
  memory::Stack* stack = nullptr;     // that it runs on
  void* parked_loop = nullptr;        // context of its loop while an entity runs; null: none
  memory::Stack* parked_stack = nullptr;  // where that lies
  void* native_context = nullptr;     // of the stack that its OS thread began and ends on
  void* alternate_stack = nullptr;    // foreign: for signals; kept for the next OS thread
  Entity* root = nullptr;             // foreign: the entity of the OS thread's own frames
  std::atomic<uint64_t> ults_made{0};  // things that had to wait here, so far; R: introspection
  std::atomic<uint64_t> blocked_ns{0};  // in blocking sections, while suspensions are watched; R: introspection

  // W: the worker; R: encountering threads that want it. Written only when it begins or ceases to
  // poll, so that a look costs no cache miss.
  TULLE_PAIR_ALIGNED std::atomic<Seat*> seat{nullptr};  // the seat it polls
  std::atomic<uint32_t> asleep{0};  // kAsleep, kAway, or 0; futex word where it sleeps there
  Bed bed = Bed::own;               // W: itself, before it says that it sleeps; R: whoever wakes it
  // Where something was published for the worker that did not poll there. W: encountering threads, with release; R: the
  // worker. Seats are never unmapped.
  std::atomic<Seat*> pointed_to{nullptr};

  TULLE_PAIR_ALIGNED Runqueue queue;

  // Foreign: bubbles of its regions that policies have placed, with threads that have not begun. W: takers
  // (sched/placing.h); R: hints.
  std::atomic<uint32_t> placed_waiting{0};
  sync::Gate::Pass takes;  // of what policies have placed
  // W: the worker. When policies had nothing for it last, and since when it has looked at what is placed (arch::cycles); whose
  // work it asks for, nearest first.
  uint64_t asked_at = 0;
  uint64_t looks_since = 0;
  uint64_t looked_last = 0;
  uint16_t* victims = nullptr;
  uint32_t victim_count = 0;
  uint32_t steals = 0;
  // W: the worker. Until when, in cycles, it leaves others' tasks alone, for how long it last did (0: what it
  // takes from them is worth it), and in which region.
  uint64_t rests_until = 0;
  uint64_t rest = 0;
  uint32_t rests_in = 0;
  uint32_t task_queue = 0;  // W: itself; the number of its queue in the pool of tasks that it looked into last
  uint32_t cpu_number = 0;  // that it was told last (sched/cpu_number.h)

  // W: the monitor; R: who may do its work. `steps` when it was found not to come back.
  std::atomic<uint64_t> stuck_at{UINT64_MAX};
  // W: the monitor; R of the atomic ones: whoever asks whether anything moves (sched/motion.h).
  uint64_t steps_seen = 0;
  std::atomic<uint64_t> cpu_time_seen{0};  // when its OS thread made no step for the first time
  std::atomic<uint32_t> stuck_ticks{0};
  Watch watch;  // of what it has run since
  Overdue ready_since, unbegun_since;  // of what waits behind it

  // Signals (sched/signals.h). W: the worker and its handlers; R: who asks it.
  ult::ThreadSignals signals;                  // of its OS thread's own block
  std::atomic<uint64_t> mask_in_force{0};
  std::atomic<uint32_t> answered{0};           // the last request

  // A guest's. W: itself, before it says that it sleeps; R: who wakes it.
  void* waiter = nullptr;
  uint32_t forks = 0;  // of the process, when the record was taken

  Worker* next_free = nullptr;  // among workers without an OS thread
  memory::Stack native_stack{};  // stands for the stack that its OS thread began on
};

// A decision or a call: the monitor sees that the worker moves. Release: what it did before is over; pairs with
// cpu_number.
inline void count_step(Worker* w) {
  w->steps.store(w->steps.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

// Whether what begins here, on the stack that w runs on, has at least half of a whole one.
inline bool has_room(const Worker* w) {
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) - w->stack->middle < w->stack->room;
}

// A hint: it runs something that has kept it from its loop for long.
inline bool is_kept(const Worker* w) {
  return w->stuck_at.load(std::memory_order_relaxed) == w->steps.load(std::memory_order_relaxed);
}

// It is amid a call of a library that comes back by itself (sched/give_way.h). To others than itself a hint.
inline bool is_inside(const Worker* w) { return w->inside.load(std::memory_order_relaxed) != 0; }

// A hint: it is in a blocking section.
inline bool is_away(const Worker* w) { return w->asleep.load(std::memory_order_relaxed) == kAway; }

// A hint: what waits behind it has waited for too long, or is to begin before entities for another reason.
inline bool is_overdue(const Worker* w) { return w->entities_last.load(std::memory_order_relaxed) != 0; }

// W: itself, which is about to leave an entity for `others` that are none. They and the entities here have turns: tasks
// that yield to each other keep no entity from it.
inline void give_turn(Worker* w, bool others) {
  w->begins_first = others && !(w->begins_first && w->queue.has_entities());
  w->entities_last.store(w->begins_first, std::memory_order_relaxed);  // R: itself
}

// Puts the TLS block `base` in force on the calling OS thread, which is w's.
inline void use_tls(Worker* w, uintptr_t base) {
  if (w->tls == base) return;
  // Relaxed: for signal handlers of this OS thread, which find it in the block in force.
  if (ult::TlsBlock* taken = ult::lent_block(base))
    taken->carrier.store(ult::port::own_block(w->native_tls), std::memory_order_relaxed);
  w->tls = base;
  if (TULLE_UNLIKELY(ult::sanitized))
    ult::change_tls_block(w->stack, base);
  else
    ult::port::put_in_force(base);
}

}  // namespace tulle::sched
