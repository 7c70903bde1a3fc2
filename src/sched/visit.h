// SPDX-License-Identifier: Apache-2.0
// Where a member handles a signal: under its own block, below its own frames, as handlers expect that look at the
// stack (collectors stop threads so). While a worker runs it, the handler interrupts that one. Of a member that no worker
// runs it is called by a visitor, an OS thread made for it, below the frames that wait. Who is about to go on with them
// waits until the visitor has ended.
//
// A worker puts a member's block in force before it goes over to the member's stack, and leaves the stack before the
// block; the member is at its place in between, and nothing is handled in its name before and after.
//
// Nobody waits for a visitor in between: what lies on the stack that is about to be left could not be told then. So a
// thread that goes on elsewhere takes a step back, where signals find it, and waits there.
//
// Ordering: whoever wants a visitor claims the stack (Stack::visitor), passes a fence, and looks whether any worker has
// the block in force, and at Stack::left; who goes on with the frames stores the block in force, or clears `left`, passes
// a fence, and looks for a visitor. One of the two sees the other.
#pragma once

#include "sched/worker.h"

namespace tulle::sched {

// In Stack::visitor: somebody looks whether there may be one. No OS thread has this id.
inline constexpr uint32_t kClaimed = UINT32_MAX;

// The own stack of the thread whose block it is; null: it has none that is known (sanitizers, bare members).
memory::Stack* own_stack(uintptr_t base);

// A frame at that address on w, the caller's or one that its handler has interrupted, lies where those of the thread do
// whose block is in force there.
bool is_at_its_place(const Worker* w, const void* frame);

// In a handler of w: the thread that it runs is about to be suspended, and who waited for another one's visitor here would
// keep it from its own.
bool is_departing(const Worker* w);

// Nothing of the thread runs; `run` does, below what it has on its stack. False: not now, or the system gives no OS thread.
bool begin_visit(uintptr_t base, memory::Stack* stack, int (*run)(void*));

// The caller has stored that it goes on with what lies on the stack. Whether nothing is handled there; and returns then.
bool has_no_visitor(const memory::Stack* stack);
void await_visitor(const memory::Stack* stack);

}  // namespace tulle::sched
