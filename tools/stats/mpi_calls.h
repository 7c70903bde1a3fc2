// SPDX-License-Identifier: Apache-2.0
// Functions under the names of MPI's, which call the next library's. A tool that includes this has them in its own file,
// with an object of its class that lives as long as the call: Waiting(MpiCall, address in the program).
// Arguments are passed on as words, whatever they are: integers and pointers alike take one each, by the processors'
// calling conventions, so one definition serves all MPIs.
#pragma once

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "stats/mpi_names.h"

namespace tulle::stats {

template <class Function>
Function* next_of(std::atomic<void*>& known, const char* name) {
  void* function = known.load(std::memory_order_relaxed);  // the same whoever looks it up
  if (function == nullptr) {
    function = dlsym(RTLD_NEXT, name);
    if (function == nullptr) {
      std::fprintf(stderr, "tulle: the program calls %s, and no library has it\n", name);
      std::abort();
    }
    known.store(function, std::memory_order_relaxed);
  }
  return reinterpret_cast<Function*>(function);
}

}  // namespace tulle::stats

#define TULLE_WAITING_CALL(Waiting, call, symbol, parameters, arguments)                        \
  extern "C" __attribute__((visibility("default"))) int symbol parameters {                     \
    static std::atomic<void*> known{nullptr};                                                   \
    auto* real = tulle::stats::next_of<int parameters>(known, #symbol);                         \
    Waiting waiting(tulle::stats::MpiCall::call, __builtin_return_address(0));                  \
    return real arguments;                                                                      \
  }

// By the number of arguments in C; Fortran's have one more, the error.
#define TULLE_P1 long a
#define TULLE_P2 TULLE_P1, long b
#define TULLE_P3 TULLE_P2, long c
#define TULLE_P4 TULLE_P3, long d
#define TULLE_P5 TULLE_P4, long e
#define TULLE_P6 TULLE_P5, long f
#define TULLE_P7 TULLE_P6, long g
#define TULLE_P8 TULLE_P7, long h
#define TULLE_P9 TULLE_P8, long i
#define TULLE_P10 TULLE_P9, long j
#define TULLE_P12 TULLE_P10, long k, long l
#define TULLE_P13 TULLE_P12, long m
#define TULLE_A1 a
#define TULLE_A2 TULLE_A1, b
#define TULLE_A3 TULLE_A2, c
#define TULLE_A4 TULLE_A3, d
#define TULLE_A5 TULLE_A4, e
#define TULLE_A6 TULLE_A5, f
#define TULLE_A7 TULLE_A6, g
#define TULLE_A8 TULLE_A7, h
#define TULLE_A9 TULLE_A8, i
#define TULLE_A10 TULLE_A9, j
#define TULLE_A12 TULLE_A10, k, l
#define TULLE_A13 TULLE_A12, m

#define TULLE_MPI_CALL_OF(Waiting, name, fortran, count, fortran_count)                         \
  TULLE_WAITING_CALL(Waiting, name, MPI_##name, (TULLE_P##count), (TULLE_A##count))             \
  TULLE_WAITING_CALL(Waiting, name, mpi_##fortran##_, (TULLE_P##fortran_count), (TULLE_A##fortran_count))
