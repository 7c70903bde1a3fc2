// SPDX-License-Identifier: Apache-2.0
// How the omp_* routines are defined: translation into src/omp, no state. Each names its symbol
// version in libgomp (GCC 12 and 16); libomp 19 has the same symbols in its one node VERSION, and an
// object built by Clang asks for that one. The function itself is called api_*, so that both
// versions can be attached to it. api.map and kmp.map declare the nodes.
//
// Fortran: gfortran appends '_' and passes by reference, and '_8_' with 8-byte default integers;
// flang calls the C routine, or the '_' form where text is passed, with its length at the end.
#pragma once

#include <cstdint>

#include "omp/task/task_icv.h"
#include "omp/thread/team.h"
#include "omp/thread/thread.h"

#define TULLE_EXPORT(...) extern "C" __attribute__((visibility("default"), __VA_ARGS__))
#define TULLE_SYMBOL(name, node) symver(#name "@@" node), symver(#name "@VERSION")

// Without arguments: C and Fortran alike.
#define TULLE_QUERY(type, name, node) \
  TULLE_EXPORT(TULLE_SYMBOL(name, node), TULLE_SYMBOL(name##_, node)) type api_##name()

// The C form.
#define TULLE_C(type, name, node, ...) \
  TULLE_EXPORT(TULLE_SYMBOL(name, node)) type api_##name(__VA_ARGS__)

// The Fortran form, and the one with 8-byte integers.
#define TULLE_FORTRAN(type, name, node, ...) \
  TULLE_EXPORT(TULLE_SYMBOL(name##_, node)) type api_##name##_(__VA_ARGS__)
#define TULLE_FORTRAN_8(type, name, node, ...) \
  TULLE_EXPORT(symver(#name "_8_@@" node)) type api_##name##_8_(__VA_ARGS__)

// Routines that only libgomp has, and those that only libomp has.
#define TULLE_GNU(type, name, node, ...) \
  TULLE_EXPORT(symver(#name "@@" node)) type api_##name(__VA_ARGS__)
#define TULLE_LLVM(type, name, ...) \
  TULLE_EXPORT(symver(#name "@@VERSION")) type api_##name(__VA_ARGS__)

// A routine for Clang's and Intel's programs, where their runtime does something else than libgomp: beside a
// TULLE_GNU of the same name.
#define TULLE_FOR_LLVM(type, name, ...) \
  TULLE_EXPORT(symver(#name "@VERSION")) type llvm_##name(__VA_ARGS__)

// A routine of one int: all its forms. `result` is int32_t or void.
#define TULLE_ONE_INT(result, name, node)                               \
  TULLE_FORTRAN(result, name, node, const int32_t* value) {             \
    return api_##name(*value);                                          \
  }                                                                     \
  TULLE_FORTRAN_8(result, name, node, const int64_t* value) {           \
    return api_##name(tulle::api::to_int(*value));                      \
  }                                                                     \
  static_assert(true)

namespace tulle::api {

inline int to_int(int64_t value) {
  if (value > INT32_MAX) return INT32_MAX;
  if (value < INT32_MIN) return INT32_MIN;
  return static_cast<int>(value);
}

// Reads something of the ICVs of the current task; on an OS thread that the runtime does not know,
// of those that it would start with.
template <class Read>
auto read_icv(Read read) {
  if (omp::Thread* thread = omp::self()) return read(omp::icv_of(thread));
  return read(omp::initial_icv());
}

inline omp::Icv* changeable_icv() { return omp::writable_icv(omp::self_or_attach()); }

}  // namespace tulle::api
