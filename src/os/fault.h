// SPDX-License-Identifier: Apache-2.0
// Faults of memory access. A program's own handler always goes first: one is installed only where
// the program has none, and unless the fault is mended the process ends as it would have without it.
#pragma once

#include <cstddef>

namespace tulle::os {

struct Fault {
  const void* address;  // that was not to be had
  const void* stack_pointer;
  bool of_code;         // an instruction was to be read there
};

// From now on answer() is called, on the alternate stack of the OS thread, before the default action of a
// SIGSEGV. It may do only what a signal handler may. True: the instruction is to be tried again.
void answer_faults(bool (*answer)(const Fault& fault));

// Bytes that an alternate stack should have.
size_t alternate_stack_size();

// Gives the calling OS thread an alternate signal stack, unless it has one; takes it back, unless the
// program has set another one meanwhile.
void set_alternate_stack(void* memory);
void drop_alternate_stack(void* memory);
// Of the calling OS thread.
bool lies_on_alternate_stack(const void* address);

}  // namespace tulle::os
