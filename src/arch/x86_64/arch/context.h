// SPDX-License-Identifier: Apache-2.0
// x86-64: switching stacks. A context is the stack pointer below which the callee-saved registers
// and the floating-point control words lie (see context.S for the frame).
#pragma once

#include <cstddef>

namespace tulle::arch {

using Commit = void (*)(void* argument);

extern "C" {

// Saves the caller's context in *save, goes over to the context `to`, and calls commit(argument)
// on the new stack before anything else runs there: only from then on may another worker resume
// the saved context. `commit` may be null. Returns when somebody switches back.
__attribute__((visibility("hidden"))) void tulle_context_switch(void** save, void* to,
                                                                Commit commit, void* argument);

// The same, faster where the frame that goes on has called this function at the same place as the caller.
__attribute__((visibility("hidden"))) void tulle_context_switch_alike(void** save, void* to,
                                                                      Commit commit, void* argument);

// Entry of a stack made by make_context(); never called from C++.
__attribute__((visibility("hidden"))) void tulle_context_start();

}  // extern "C"

// A context that calls entry(argument) on the stack that ends at `top` (exclusive, 16-aligned).
// `entry` must not return.
inline void* make_context(void* top, void (*entry)(void*), void* argument) {
  void** frame = static_cast<void**>(top);
  unsigned mxcsr = __builtin_ia32_stmxcsr();
  unsigned short control;
  asm volatile("fnstcw %0" : "=m"(control));
  *--frame = nullptr;  // alignment
  *--frame = nullptr;  // where a return address would be
  *--frame = reinterpret_cast<void*>(&tulle_context_start);
  *--frame = nullptr;                          // rbp
  *--frame = reinterpret_cast<void*>(entry);   // rbx
  *--frame = argument;                         // r12
  *--frame = nullptr;                          // r13
  *--frame = nullptr;                          // r14
  *--frame = nullptr;                          // r15
  *--frame = reinterpret_cast<void*>(static_cast<size_t>(mxcsr) |
                                     (static_cast<size_t>(control) << 32));
  return frame;
}

}  // namespace tulle::arch
