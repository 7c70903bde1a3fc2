// SPDX-License-Identifier: Apache-2.0
// aarch64: switching stacks. A context is the stack pointer above which the callee-saved registers
// and the floating-point control words lie (see context.S for the frame).
#pragma once

#include <cstdint>
#include <cstring>

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
  struct Frame {
    uint64_t x29, x30, x19_to_x28[10], d8_to_d15[8], control, flags;
  };
  static_assert(sizeof(Frame) == 176);
  Frame frame = {};
  frame.x30 = reinterpret_cast<uint64_t>(&tulle_context_start);
  frame.x19_to_x28[0] = reinterpret_cast<uint64_t>(entry);
  frame.x19_to_x28[1] = reinterpret_cast<uint64_t>(argument);
  asm volatile("mrs %0, fpcr" : "=r"(frame.control));
  asm volatile("mrs %0, fpsr" : "=r"(frame.flags));
  // The 16 bytes above hold a record of no caller, at which debuggers stop.
  char* lowest = static_cast<char*>(top) - 16 - sizeof frame;
  memset(lowest + sizeof frame, 0, 16);
  memcpy(lowest, &frame, sizeof frame);
  return lowest;
}

}  // namespace tulle::arch
