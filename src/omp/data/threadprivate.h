// SPDX-License-Identifier: Apache-2.0
// Threadprivate variables (OpenMP 5.2 §5.2) of compilers that do not make them thread-local: a copy
// for each OpenMP thread, found by the address of the original. The first thread of the program uses
// the original itself; the others' copies begin as the original was when the first of all threads
// asked for it, or as the variable's constructor makes them. Member 0 of a team is the encountering
// thread. A copy lives as long as its thread's record, so it is still there in the next region.
// Lookups touch only the calling thread's table; first uses and registrations take a lock.
#pragma once

#include <cstddef>

#include "omp/thread/thread.h"

namespace tulle::omp {

// For variables with constructors; any of the functions may be null. With `count` not 0 the variable
// is an array, and the functions take the number of elements as an argument of their own.
struct PrivateFunctions {
  void* (*construct)(void* copy);
  void* (*copy_construct)(void* copy, void* original);
  void (*destroy)(void* copy);
  size_t count;
};

// Before the first use of the variable.
void register_threadprivate(void* original, const PrivateFunctions& functions);

// The calling thread's copy.
void* threadprivate(Thread* thread, void* original, size_t size);

// Ends the copies of a thread whose record is given back.
void drop_threadprivates(Thread* thread);

}  // namespace tulle::omp
