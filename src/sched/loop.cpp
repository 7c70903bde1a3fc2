// SPDX-License-Identifier: Apache-2.0
// The worker's loop. It runs on a stack of the pool and calls what has not begun yet on that same
// stack; when the callee blocks, the stack goes with it, this frame included, and the worker starts
// its loop again on another one. A frame that comes back to find that its worker has a parked loop
// is detached: it gives its stack back and goes over to the parked one.
#include "sched/loop.h"

#include "arch/cpu.h"
#include "sched/announce.h"
#include "sched/enter.h"
#include "sched/idle.h"
#include "sched/ready.h"
#include "sched/worker.h"
#include "sched/workers.h"
#include "ult/switch.h"

namespace tulle::sched {

namespace {

void give_back(void* stack) { memory::give_stack(static_cast<memory::Stack*>(stack)); }

[[noreturn]] void leave_detached(Worker* w, memory::Stack* mine) {
  ult::switch_for_good(w->stack, take_parked_loop(w), give_back, mine);
}

// To the stack that the worker's OS thread began on, where it ends.
[[noreturn]] void leave_for_good(Worker* w, memory::Stack* mine) {
  use_tls(w, w->native_tls);
  ult::switch_for_good(w->stack, {&w->native_stack, w->native_context}, give_back, mine);
}

// Goes over to a ULT that is in force, this loop staying behind as the worker's parked one. Parked loops
// never change worker, so `w` is the same when it returns.
void switch_from_loop(Worker* w, const Ult* ult) {
  w->parked_stack = w->stack;
  ult::switch_to(w->stack, &w->parked_loop, {ult->stack, ult->context}, nullptr, nullptr);
}

void resume(Worker* w, Entity* entity) {
  Ult* ult = claim_for(w, entity);
  if (ult == nullptr) return;
  go_on(w, ult);
  switch_from_loop(w, ult);
}

// Entry of every fresh stack: the worker's loop.
void loop_entry(void* argument) {
  auto* mine = static_cast<memory::Stack*>(argument);
  auto* w = static_cast<Worker*>(mine->started_by);
  if (TULLE_UNLIKELY(ult::sanitized)) ult::arrive_on_stack(mine);
  bool ended = false;
  for (;;) {
    Work work = wait_for_work(w, ended);
    ended = false;
    if (TULLE_UNLIKELY(work.end)) leave_for_good(w, mine);
    w->busy.store(true, std::memory_order_relaxed);  // relaxed: the monitor may be a tick late
    count_step(w);
    if (work.seat == nullptr && !leave_seat_for(w, work.entity != nullptr ? work.entity->bubble : work.bubble)) {
      if (work.entity != nullptr) enqueue(work.entity);
      work.entity = nullptr;
      work.seat = w->seat.load(std::memory_order_relaxed);  // W: w itself
    }
    if (work.entity != nullptr) {
      resume(w, work.entity);
      continue;
    }
    use_own_tls(w);
    Worker* after = work.seat != nullptr   ? work.seat->bubble->serve_seat(work.seat, w)
                    : work.part != nullptr ? work.part->bubble->call(work.part, w)
                                           : work.bubble->serve(work.bubble, w);
    if (after == nullptr) continue;
    ended = w == after;
    w = after;
    if (w->parked_loop != nullptr) leave_detached(w, mine);
    leave(w);
  }
}

}  // namespace

bool park_fresh_loop(Worker* w) {
  memory::Stack* stack = memory::take_stack();
  if (stack == nullptr) return false;
  stack->started_by = w;
  w->parked_stack = stack;
  w->parked_loop = ult::begin_at(stack, loop_entry, stack).context;
  return true;
}

void resume_as(Worker* w, Entity* entity, Ult* ult, Footing footing) {
  ult->entity = entity;
  ult->home = footing.home;
  enter(w, entity, ult->frame, footing);
  // A detached stack has nothing to come back to: the worker's loop is another one.
  if (w->parked_loop != nullptr)
    ult::switch_for_good(w->stack, {ult->stack, ult->context}, give_back, w->stack);
  switch_from_loop(w, ult);
}

}  // namespace tulle::sched
