// SPDX-License-Identifier: Apache-2.0
// Stacks for ULTs: mapped once, reused last in, first out, so that their pages are warm.
// Any OS thread may take and give. A stack's header lies at its top, inside the stack itself. What a burst has
// mapped is unmapped after a while (trim_stacks).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/list.h"

namespace tulle::memory {

// The sanitizers' record of a stack (ult/sanitizer.h). W: who runs on it.
struct SanitizerRecord {
  bool known = false;
  bool ended = false;  // the frames that `fiber` knew went without a return
  void* fiber = nullptr;   // ThreadSanitizer's, of the frames on the stack
  void* frames = nullptr;  // AddressSanitizer's, while other frames run
  // The state that the TLS block in force goes back to when the frames leave it.
  void* rest = nullptr;
  void* rest_frames = nullptr;
  const void* rest_lowest = nullptr;
  size_t rest_bytes = 0;
};

struct Stack {
  void* lowest;       // lowest usable byte; a guard page lies below
  size_t bytes;       // usable bytes including this header
  // Frames at these addresses leave room for calls on top: what lies below had better go on with another
  // stack, and what lies elsewhere is on none that is known.
  uintptr_t middle;
  uintptr_t room;     // bytes from there on
  Stack* next;        // in a pool
  int node;           // the memory node that its pages are taken to come from
  uint32_t given_in;  // the period in which it came to the pool
  Link mapped;        // among all stacks
  void* started_by;   // the worker that starts a loop on it
  void* suspended;        // the ULT that waits on it; null: nothing. W: who suspends and resumes it; R: gdb
  bool executable;        // under the pool\'s lock
  unsigned valgrind_id;   // of its registration there
  // Of a member's own stack (sched/visit.h). W of the first two: who runs the member; R: senders of signals.
  bool occupied;          // the member has begun on it and not ended
  void* const* left;      // where the context is of what lies there below a call on another stack; null: no such call
  std::atomic<uint32_t> visitor;  // the kernel's id of the OS thread that handles a signal below what lies there
  SanitizerRecord sanitizer;

  // Where frames begin: 16-aligned, growing down.
  void* top() { return this; }
};

// Bytes per stack from now on; stacks that exist keep their size.
void set_stack_size(size_t bytes);
size_t stack_size();

// Machines of several memory nodes: says at which one the caller is, and stacks are reused there, where their pages are.
// Before, and if nobody sets it, there is one. Then once, while others may take stacks.
void set_node_of_caller(int (*node)());

// A stack, a smaller one when the system gives none of that size, or null when it gives no more.
Stack* take_stack();
void give_stack(Stack* stack);

// Begins a period. Of the stacks in the pool those that nobody has taken for a whole one are unmapped, but for a few.
// True: others may be in the next. Any OS thread.
bool trim_stacks();

// How many stacks should be in use; 0: there is no such number. Hints: so many are, or more; and whoever can do
// without one had better, since the last one beyond the limit was taken less than `patience` nanoseconds ago. (One
// now and then is taken: those in use may wait for it.)
void set_stack_limit(uint32_t stacks);
bool stack_limit_reached();
bool stacks_are_short(uint64_t patience);

// Stacks run code where a module of the program asks for that. Each new stack looks; this makes those that
// exist follow a module that came since.
void follow_modules();

// For signal handlers, when code at `address` was not to be run: true if it is on a stack of the pool and may
// be run now. It gives up where a lock is held.
bool let_code_run_at(const void* address);

// A stack that is none of the pool's, known to debuggers and to stack_above_guard() from now on; and no more.
void list_stack(Stack* stack);
void unlist_stack(Stack* stack);

// Called before a stack is unmapped.
void set_unmap_hook(void (*hook)(Stack*));

// How many stacks hold something suspended: for tests, while nothing runs.
size_t suspended_stacks();

// The size of the stack whose guard pages hold `address`; 0: none. For signal handlers: it gives up
// where a lock is held.
size_t stack_above_guard(const void* address);

}  // namespace tulle::memory
