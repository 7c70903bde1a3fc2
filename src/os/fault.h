// SPDX-License-Identifier: Apache-2.0
// Faults of memory access. A program's own handler always goes first: one is installed only where
// the program has none, and the process ends as it would have without it.
#pragma once

#include <cstddef>

namespace tulle::os {

// From now on explain() is called with the address that was not to be had and the stack pointer, on the
// alternate stack of the OS thread, before the default action of a SIGSEGV. It may do only what a
// signal handler may.
void explain_faults(void (*explain)(const void* address, const void* stack_pointer));

// Bytes that an alternate stack should have.
size_t alternate_stack_size();

// Gives the calling OS thread an alternate signal stack, unless it has one; takes it back, unless the
// program has set another one meanwhile.
void set_alternate_stack(void* memory);
void drop_alternate_stack(void* memory);

}  // namespace tulle::os
