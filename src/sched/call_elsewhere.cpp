// SPDX-License-Identifier: Apache-2.0
#include "sched/call_elsewhere.h"

#include "base/look.h"
#include "sched/signals.h"
#include "sched/visit.h"
#include "sched/worker.h"
#include "ult/switch.h"

namespace tulle::sched {

namespace {

// Lies in the caller's frame.
struct Call {
  Place (*step)(void*);
  void* data;
  ult::StackContext caller{};
};

// From here on nothing is handled in the name of the member, nor of who called it.
void leave_call(Worker* w, memory::Stack* back) {
  set_looked_at(w->stack->occupied, false);
  set_looked_at(back->left, static_cast<void**>(nullptr));
}

ult::StackContext begin_call(Place place, Call* call);

// On the next one: until then no visitor may begin there.
void has_been_left(void* stack) { set_looked_at(static_cast<memory::Stack*>(stack)->occupied, false); }

void begin(void* argument) {
  auto* call = static_cast<Call*>(argument);
  if (TULLE_UNLIKELY(!current()->worker->enters_plainly)) handle_signals(current()->worker);
  Place next = call->step(call->data);
  Worker* w = current()->worker;
  if (next.stack != nullptr) ult::switch_for_good(w->stack, begin_call(next, call), has_been_left, w->stack);
  memory::Stack* back = call->caller.stack;
  leave_call(w, back);
  while (TULLE_UNLIKELY(!w->enters_plainly) && !has_no_visitor(back)) {
    set_looked_at(w->stack->occupied, true);
    set_looked_at(back->left, &call->caller.context);
    handle_signals(w);
    await_visitor(back);
    leave_call(w, back);
  }
  ult::switch_for_good(w->stack, call->caller, nullptr, nullptr);
}

ult::StackContext begin_call(Place place, Call* call) {
  set_looked_at(place.stack->occupied, true);
  return ult::begin_below(place.stack, place.top, begin, call);
}

}  // namespace

TULLE_NOINLINE void call_elsewhere(Place place, Place (*step)(void*), void* data) {
  Worker* w = current()->worker;
  Call call{step, data};
  call.caller.stack = w->stack;
  set_looked_at(w->stack->left, &call.caller.context);
  ult::switch_to(w->stack, &call.caller.context, begin_call(place, &call), nullptr, nullptr);
}

}  // namespace tulle::sched
