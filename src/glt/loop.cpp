// SPDX-License-Identifier: Apache-2.0
// The loop of a thread. It runs on a stack of the pool and calls what has not begun on that same stack; when the
// callee waits, the stack goes with it, this frame included, and the thread begins its loop again on another one.
// Where the thread has a parked loop when a frame of one goes over to something else, that frame is given up.
#include <stdio.h>

#include "glt/key.h"
#include "glt/thread.h"
#include "os/report.h"
#include "os/thread.h"
#include "ult/exception_state.h"

namespace tulle::glt {

bool exceptions_known = false;

namespace {

void give_back(void* stack) { memory::give_stack(static_cast<memory::Stack*>(stack)); }

// Not of the thread's any more when it is over: whoever joined it may free it.
void end(Thread* t, Unit* unit) {
  if (TULLE_UNLIKELY(unit->values != nullptr || unit->guest_word != nullptr)) end_values(unit);
  uint64_t ended = t->ended.load(std::memory_order_relaxed) + 1;  // W: this thread
  t->ended.store(ended, std::memory_order_release);               // pairs with glt_finalize()
  ult::happens_before(unit);
  Unit* waiter = unit->waiters.exchange(Unit::ended(), std::memory_order_acq_rel);
  while (waiter != nullptr) {
    Unit* next = waiter->next;
    make_ready(waiter);
    waiter = next;
  }
}

void call(Thread* t, Unit* unit) {
  t->running = unit;
  if (TULLE_LIKELY(!unit->cancelled.load(std::memory_order_relaxed))) unit->function(unit->argument);
  t = current_thread();
  end(t, t->running);
}

// A loop goes over to a unit that has begun.
void resume(Thread* t, memory::Stack* mine, Unit* unit) {
  t->running = unit;
  ult::StackContext to = unit->where;
  if (t->loop.context != nullptr) ult::switch_for_good(t->stack, to, give_back, mine);
  t->loop.stack = mine;
  ult::switch_to(t->stack, &t->loop.context, to, nullptr, nullptr);
}

ult::StackContext take_parked(Thread* t) {
  ult::StackContext loop = t->loop;
  t->loop.context = nullptr;
  return loop;
}

// To where the OS thread ends; a parked loop leaves in its turn.
[[noreturn]] void leave_for_good(Thread* t, memory::Stack* mine) {
  bool parked = t->loop.context != nullptr;
  ult::StackContext to = parked ? take_parked(t) : ult::StackContext{&t->native_stack, t->native_context};
  ult::switch_for_good(t->stack, to, give_back, mine);
}

void loop_entry(void* argument) {
  auto* mine = static_cast<memory::Stack*>(argument);
  if (TULLE_UNLIKELY(ult::sanitized)) ult::arrive_on_stack(mine);
  for (;;) {
    Thread* t = current_thread();
    Unit* next = t->handed;
    t->handed = nullptr;
    if (next == nullptr) next = t->take();
    if (next == nullptr) {
      t->running = nullptr;
      if (t->ending.load(std::memory_order_acquire)) leave_for_good(t, mine);  // pairs with glt_finalize()
      t->idle();
    } else if (next->where.context == nullptr) {
      call(t, next);
    } else {
      resume(t, mine, next);
    }
  }
}

ult::StackContext way_to_loop(Thread* t, Unit* next) {
  t->running = nullptr;
  t->handed = next;
  return t->loop.context != nullptr ? take_parked(t) : fresh_loop(t);
}

// Where to go over to for `next`.
TULLE_INLINE ult::StackContext way_to(Thread* t, Unit* next) {
  if (TULLE_UNLIKELY(next == nullptr || next->where.context == nullptr)) return way_to_loop(t, next);
  t->running = next;
  return next->where;
}

// The caller's frames stay behind in self->where. Most go over to a frame of this function.
TULLE_MAY_SUSPEND TULLE_INLINE void go_over(Thread* t, Unit* self, Unit* next, arch::Commit commit, void* argument) {
  ult::ExceptionState exceptions;
  bool known = exceptions_known;
  if (TULLE_UNLIKELY(known)) ult::save_exception_state(exceptions);
  self->where.stack = t->stack;
  ult::switch_to_alike(t->stack, &self->where.context, way_to(t, next), commit, argument);
  if (TULLE_UNLIKELY(known)) ult::restore_exception_state(exceptions);
}

void send_to_its_thread(void* unit) {
  auto* arrives = static_cast<Unit*>(unit);
  arrives->thread->send(arrives);
}

}  // namespace

ult::StackContext fresh_loop(Thread* t) {
  memory::Stack* stack = memory::take_stack();
  if (stack == nullptr) os::fatal("no memory for the stack of another work unit");
  stack->started_by = t;
  return ult::begin_at(stack, loop_entry, stack);
}

void wait(Thread* t) {
  Unit* self = t->running;
  for (;;) {
    Unit* next = t->take();
    if (next == self) return;
    bool moves = t->disabled.load(std::memory_order_relaxed);  // a setting: its loop sends the caller elsewhere
    if (next != nullptr || moves) return go_over(t, self, next, nullptr, nullptr);
    t->idle();
  }
}

void give_way(Thread* t, Unit* next) {
  Unit* self = t->running;
  if (next != nullptr && t->holds(next)) {
    t->remove(next);
  } else {
    next = t->take();
    if (next == nullptr) return;
  }
  t->push(self);
  go_over(t, self, next, nullptr, nullptr);
}

void migrate(Thread* from, Thread* to) {
  Unit* self = from->running;
  self->thread = to;
  go_over(from, self, from->take(), send_to_its_thread, self);
}

// The joiner waits for nothing else, so its frames lose nothing below the callee's. Where the callee migrates,
// they come along, and go back.
TULLE_NOINLINE void call_on_top(Thread* t, Unit* unit) {
  Unit* self = t->running;
  ult::ExceptionState exceptions;
  bool known = exceptions_known;
  if (TULLE_UNLIKELY(known)) ult::save_exception_state(exceptions);
  t->remove(unit);
  void* frame[5];
  unit->exit_to = frame;
  if (__builtin_setjmp(frame) == 0) call(t, unit);
  Thread* now = current_thread();
  now->running = self;
  if (TULLE_UNLIKELY(known)) ult::restore_exception_state(exceptions);
  if (TULLE_LIKELY(now == self->thread)) return;
  if (self->thread->disabled.load(std::memory_order_relaxed))  // a setting
    self->thread = now;
  else
    migrate(now, self->thread);
}

void end_running() {
  Thread* t = current_thread();
  memory::Stack* mine = t->stack;
  void** frame = t->running->exit_to;
  end(t, t->running);
  if (frame != nullptr) __builtin_longjmp(frame, 1);
  ult::switch_for_good(t->stack, way_to(t, t->take()), give_back, mine);
}

void* thread_main(void* thread) {
  auto* t = static_cast<Thread*>(thread);
  char name[16];
  snprintf(name, sizeof name, "glt %d", t->number);
  os::name_thread(name);
  arch::set_current_pointer(t);
  t->stack = &t->native_stack;
  if (ult::sanitized) ult::adopt_stack(t->stack);
  ult::switch_to(t->stack, &t->native_context, fresh_loop(t), nullptr, nullptr);
  if (ult::sanitized) ult::disown_stack(&t->native_stack);
  arch::set_current_pointer(nullptr);
  return nullptr;
}

}  // namespace tulle::glt
