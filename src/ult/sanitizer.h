// SPDX-License-Identifier: Apache-2.0
// Information for the compilers' sanitizers: which stack runs, under which TLS block (both keep
// their own idea of a thread in thread-local storage), and what is ordered before what. A sanitizer
// is found when the library is loaded, by weak references, so an ordinary build serves programs
// built with -fsanitize=thread and -fsanitize=address. Without one each place costs one branch.
// Callers hold the stack that they name; happens_before and happens_after may be called by anybody.
//
// ThreadSanitizer: a stack is a fiber. Each TLS block has a fiber that is in force while no stack
// runs under it, Stack's `rest` while one does. AddressSanitizer: the same with bounds of stacks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cacheline.h"
#include "memory/stack_pool.h"

namespace tulle::ult {

extern TULLE_NEAR bool sanitized;      // a sanitizer that must know about stacks is in the process
extern TULLE_NEAR bool race_detector;  // it is ThreadSanitizer

// The calling OS thread's own stack, described by *stack from now on, until disown_stack.
void adopt_stack(memory::Stack* stack);
void disown_stack(memory::Stack* stack);

// The OS thread is about to switch from one stack to another, and has arrived on `stack`.
// `for_good`: the frames on `from` are never resumed.
void leave_stack(memory::Stack* from, memory::Stack* to, bool for_good);
void arrive_on_stack(memory::Stack* stack);

// Puts another TLS block in force; `stack` runs on.
void change_tls_block(memory::Stack* stack, uintptr_t base);

// The runtime keeps this for the life of the process: no leak.
void kept_for_good(const void* memory);

// It was computed from what may be undefined, and is no more than a hint: valgrind need not warn.
TULLE_COLD void take_for_defined(void* memory, std::size_t bytes);

TULLE_COLD void note_before(const void* key);
TULLE_COLD void note_after(const void* key);

// All that the caller did so far is ordered before all that follows happens_after(key). For user
// code and what is intercepted; in a build of the runtime under ThreadSanitizer the atomic
// operations say the same.
inline void happens_before(const void* key) {
  if (TULLE_UNLIKELY(race_detector)) note_before(key);
}
inline void happens_after(const void* key) {
  if (TULLE_UNLIKELY(race_detector)) note_after(key);
}

// While it lives a tool is called, and ThreadSanitizer takes what runs for a fiber of its own, *fiber, made when first
// needed: what the tool says of order and of accesses to ignore is in pairs by OpenMP thread then, and the program's
// code is not ordered by it. What the caller did is ordered before what the tool does. Without a fiber nothing changes.
class Aside {
 public:
  explicit Aside(void** fiber) {
    if (TULLE_UNLIKELY(fiber != nullptr)) begin(fiber);
  }
  ~Aside() {
    if (TULLE_UNLIKELY(back_ != nullptr)) end();
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

 private:
  TULLE_COLD void begin(void** fiber);
  TULLE_COLD void end();

  void* back_ = nullptr;  // null: nothing has changed
};

// A race is seen only between different stacks: members and tasks are not called on top of those who
// wait for them. Under a build for ThreadSanitizer they are, for it is the runtime that is tested.
inline bool keeps_stacks_apart() {
#ifdef TULLE_UNDER_TSAN
  return false;
#else
  return race_detector;
#endif
}

}  // namespace tulle::ult
