// SPDX-License-Identifier: Apache-2.0
// Going over to another stack, by the port that the build has chosen (ult/port_contract.h). Whoever switches says
// where the word lies that holds the running stack of its OS thread: debuggers and sanitizers go by it.
#pragma once

#include "arch/cpu.h"
#include "memory/stack_pool.h"
#include "ult/port_contract.h"
#include "ult/sanitizer.h"

namespace tulle::ult {

// A saved context and the stack that it lies on.
struct StackContext {
  memory::Stack* stack;
  void* context;
};

// A context that calls entry(argument) when it is switched to for the first time; `entry` never returns.
inline StackContext begin_at(memory::Stack* stack, void (*entry)(void*), void* argument) {
  return {stack, port::begin(stack, stack->top(), entry, argument)};
}
// The same below `top` on the stack.
inline StackContext begin_below(memory::Stack* stack, void* top, void (*entry)(void*), void* argument) {
  return {stack, port::begin(stack, top, entry, argument)};
}

// Saves the caller's context in *save and goes over to `to`, where commit(argument) is called first;
// it may be null. Returns when somebody switches back, maybe on another OS thread.
TULLE_MAY_SUSPEND inline void switch_to(memory::Stack*& running, void** save, StackContext to,
                                        arch::Commit commit, void* argument) {
  memory::Stack* from = running;
  running = to.stack;
  if (TULLE_UNLIKELY(sanitized)) leave_stack(from, to.stack, false);
  port::go_over(save, to.context, commit, argument);
  if (TULLE_UNLIKELY(sanitized)) arrive_on_stack(from);
}

// The same, faster where `to` is a frame that called this function at the same place as the caller.
TULLE_MAY_SUSPEND inline void switch_to_alike(memory::Stack*& running, void** save, StackContext to,
                                              arch::Commit commit, void* argument) {
  memory::Stack* from = running;
  running = to.stack;
  if (TULLE_UNLIKELY(sanitized)) leave_stack(from, to.stack, false);
  port::go_over_alike(save, to.context, commit, argument);
  if (TULLE_UNLIKELY(sanitized)) arrive_on_stack(from);
}

// The same for the last time: the frames on this stack never go on.
[[noreturn]] inline void switch_for_good(memory::Stack*& running, StackContext to,
                                         arch::Commit commit, void* argument) {
  memory::Stack* from = running;
  running = to.stack;
  if (TULLE_UNLIKELY(sanitized)) leave_stack(from, to.stack, true);
  port::leave(to.context, commit, argument);
}

}  // namespace tulle::ult
