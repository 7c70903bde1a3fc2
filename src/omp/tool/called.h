// SPDX-License-Identifier: Apache-2.0
// Where the program called the interface. For the first line of entry points: what they tell tools of then bears the
// address that they return to.
#pragma once

#include "omp/thread/thread.h"
#include "omp/tool/active.h"

namespace tulle::omp::tool {

TULLE_INLINE void keep_here() { asm volatile("" : : : "memory"); }

// Called by the entry point itself: the frame above is the program's. `thread`: the calling one.
TULLE_COLD void called_from(Thread* thread, const void* code);

// The program's code at a place that an entry point returns to. Where compilers have made the last call of a body a
// jump that is in the runtime: then the body's own function stands for it.
const void* in_program(Thread* thread, const void* code);

struct OfThread;

// While the runtime itself calls the program's code as a thread that has called nothing: a device's. What the thread had called
// before, if it is interrupted, is in force again afterwards.
class CalledByRuntime {
 public:
  CalledByRuntime(Thread* thread, const void* frame);
  ~CalledByRuntime();
  CalledByRuntime(const CalledByRuntime&) = delete;
  CalledByRuntime& operator=(const CalledByRuntime&) = delete;

 private:
  OfThread* record_ = nullptr;  // null: there are no tools
  const void* code_ = nullptr;
  const void* frame_ = nullptr;
};

}  // namespace tulle::omp::tool

// The address that the entry point returns to, loaded here and not before the look at active(). Part of the entry
// point, or always inlined into it.
#define TULLE_CALLER() (::tulle::omp::tool::keep_here(), __builtin_return_address(0))

#define TULLE_CALLED() \
  if (::tulle::omp::tool::active()) ::tulle::omp::tool::called_from(::tulle::omp::self_or_attach(), TULLE_CALLER())
