// SPDX-License-Identifier: Apache-2.0
// Stacks for ULTs: mapped once, reused last in, first out, so that their pages are warm.
// Any OS thread may take and give. A stack's header lies at its top, inside the stack itself.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/list.h"

namespace tulle::memory {

struct Stack {
  void* lowest;       // lowest usable byte; a guard page lies below
  size_t bytes;       // usable bytes including this header
  Stack* next;        // in a pool
  Link mapped;        // among all stacks
  void* started_by;   // the worker that starts a loop on it
  unsigned sanitizer_id;  // of valgrind's stack registration

  // Where frames begin: 16-aligned, growing down.
  void* top() { return this; }
};

// Bytes per stack from now on; stacks that exist keep their size.
void set_stack_size(size_t bytes);
size_t stack_size();

// A stack, or null when the system gives no more.
Stack* take_stack();
void give_stack(Stack* stack);

// The size of the stack whose guard pages hold `address`; 0: none. For signal handlers: it gives up
// where a lock is held.
size_t stack_above_guard(const void* address);

}  // namespace tulle::memory
