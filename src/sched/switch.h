// SPDX-License-Identifier: Apache-2.0
// Going over to another stack. The worker knows which stack it runs on: what suspends there leaves
// word of it, for debuggers and sanitizers.
#pragma once

#include "arch/context.h"
#include "sched/worker.h"
#include "ult/sanitizer.h"

namespace tulle::sched {

// A saved context and the stack that it lies on.
struct Place {
  memory::Stack* stack;
  void* context;
};

// Saves the caller's context in *save and goes over to `to`, where commit(argument) is called first;
// it may be null. Returns when somebody switches back, maybe on another worker.
TULLE_MAY_SUSPEND inline void switch_to(Worker* w, void** save, Place to, arch::Commit commit,
                                        void* argument) {
  memory::Stack* from = w->stack;
  w->stack = to.stack;
  if (TULLE_UNLIKELY(ult::sanitized)) ult::leave_stack(from, to.stack, false);
  arch::tulle_context_switch(save, to.context, commit, argument);
  if (TULLE_UNLIKELY(ult::sanitized)) ult::arrive_on_stack(from);
}

// The same for the last time: the frames on this stack never go on.
[[noreturn]] inline void switch_for_good(Worker* w, Place to, arch::Commit commit, void* argument) {
  memory::Stack* from = w->stack;
  w->stack = to.stack;
  if (TULLE_UNLIKELY(ult::sanitized)) ult::leave_stack(from, to.stack, true);
  void* unused;
  arch::tulle_context_switch(&unused, to.context, commit, argument);
  __builtin_unreachable();
}

// The worker's loop stays behind as its parked one.
inline void switch_from_loop(Worker* w, const ult::Ult* ult) {
  w->parked_stack = w->stack;
  switch_to(w, &w->parked_loop, {ult->stack, ult->context}, nullptr, nullptr);
}

// The worker's parked loop, parked no more.
inline Place take_parked_loop(Worker* w) {
  Place loop{w->parked_stack, w->parked_loop};
  w->parked_loop = nullptr;
  return loop;
}

}  // namespace tulle::sched
