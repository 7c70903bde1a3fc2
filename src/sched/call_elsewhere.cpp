// SPDX-License-Identifier: Apache-2.0
#include "sched/call_elsewhere.h"

#include "sched/worker.h"
#include "ult/switch.h"

namespace tulle::sched {

namespace {

// Lies in the caller's frame.
struct Call {
  void (*function)(void*);
  void* data;
  ult::StackContext caller{};
};

void begin(void* argument) {
  auto* call = static_cast<Call*>(argument);
  call->function(call->data);
  ult::switch_for_good(current()->worker->stack, call->caller, nullptr, nullptr);
}

}  // namespace

TULLE_NOINLINE void call_elsewhere(memory::Stack* stack, void* top, void (*function)(void*), void* data) {
  Worker* w = current()->worker;
  Call call{function, data};
  call.caller.stack = w->stack;
  ult::switch_to(w->stack, &call.caller.context, ult::begin_below(stack, top, begin, &call), nullptr, nullptr);
}

}  // namespace tulle::sched
