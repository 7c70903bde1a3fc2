// SPDX-License-Identifier: Apache-2.0
// Interoperability routines (OpenMP 5.2 §18.12). Interop objects stand for foreign runtimes of other
// devices than the host; there is none, so the only object that a program can have is
// omp_interop_none, which has no properties.
#include <cstring>
#include <iterator>

#include "abi/api/entry.h"

namespace {

using Interop = void*;

enum Result : int32_t { kNoValue = 1, kSuccess = 0, kEmpty = -1, kOutOfRange = -2, kOther = -6 };

constexpr const char* kProperties[] = {"fr_id",    "fr_name", "vendor",         "vendor_name",
                                       "device_num", "platform", "device", "device_context",
                                       "targetsync"};
constexpr const char* kTypes[] = {
    "omp_interop_t", "const char *", "int", "const char *", "int",
    "foreign platform handle", "foreign device handle", "foreign device context handle",
    "foreign synchronisation handle"};
constexpr const char* kResults[] = {
    "no value for the property", "success", "the interop object is omp_interop_none",
    "the property is out of range", "the property is an integer", "the property is a pointer",
    "the property is a string", "the property is not available"};

// Properties count downwards from -1.
bool known(int property) {
  return property < 0 && property >= -static_cast<int>(std::size(kProperties));
}

void answer(int property, int32_t* result) {
  if (result != nullptr) *result = known(property) ? kEmpty : kOutOfRange;
}

void give_text(const char* text, const char** to, std::size_t* length) {
  *to = text;
  *length = text != nullptr ? std::strlen(text) : 0;
}

}  // namespace

TULLE_C(int, omp_get_num_interop_properties, "GOMP_5.1.3", Interop) { return 0; }

TULLE_C(intptr_t, omp_get_interop_int, "GOMP_5.1.3", Interop, int property, int32_t* result) {
  answer(property, result);
  return 0;
}

TULLE_C(void*, omp_get_interop_ptr, "GOMP_5.1.3", Interop, int property, int32_t* result) {
  answer(property, result);
  return nullptr;
}

TULLE_C(const char*, omp_get_interop_str, "GOMP_5.1.3", Interop, int property, int32_t* result) {
  answer(property, result);
  return nullptr;
}

TULLE_C(const char*, omp_get_interop_name, "GOMP_5.1.3", Interop, int property) {
  return known(property) ? kProperties[-1 - property] : nullptr;
}

TULLE_C(const char*, omp_get_interop_type_desc, "GOMP_5.1.3", Interop object, int property) {
  return object != nullptr && known(property) ? kTypes[-1 - property] : nullptr;
}

TULLE_C(const char*, omp_get_interop_rc_desc, "GOMP_5.1.3", Interop, int32_t result) {
  return result <= kNoValue && result >= kOther ? kResults[kNoValue - result] : nullptr;
}

// gfortran returns text through a pair of address and length; libomp's forms are those of C.
TULLE_GNU(void, omp_get_interop_str_, "GOMP_5.1.3", const char** text, std::size_t* length,
          Interop object, int property, int32_t* result) {
  give_text(api_omp_get_interop_str(object, property, result), text, length);
}
TULLE_GNU(void, omp_get_interop_name_, "GOMP_5.1.3", const char** text, std::size_t* length,
          Interop object, int property) {
  give_text(api_omp_get_interop_name(object, property), text, length);
}
TULLE_GNU(void, omp_get_interop_type_desc_, "GOMP_5.1.3", const char** text, std::size_t* length,
          Interop object, int property) {
  give_text(api_omp_get_interop_type_desc(object, property), text, length);
}
TULLE_GNU(void, omp_get_interop_rc_desc_, "GOMP_5.1.3", const char** text, std::size_t* length,
          Interop object, int32_t result) {
  give_text(api_omp_get_interop_rc_desc(object, result), text, length);
}

#define TULLE_LLVM_FORTRAN(type, name, ...) \
  TULLE_EXPORT(symver(#name "_@VERSION")) type api_##name##_llvm(__VA_ARGS__)

TULLE_LLVM(int, omp_get_num_interop_properties_, Interop) { return 0; }
TULLE_LLVM(intptr_t, omp_get_interop_int_, Interop object, int property, int32_t* result) {
  return api_omp_get_interop_int(object, property, result);
}
TULLE_LLVM(void*, omp_get_interop_ptr_, Interop object, int property, int32_t* result) {
  return api_omp_get_interop_ptr(object, property, result);
}
TULLE_LLVM_FORTRAN(const char*, omp_get_interop_str, Interop object, int property,
                   int32_t* result) {
  return api_omp_get_interop_str(object, property, result);
}
TULLE_LLVM_FORTRAN(const char*, omp_get_interop_name, Interop object, int property) {
  return api_omp_get_interop_name(object, property);
}
TULLE_LLVM_FORTRAN(const char*, omp_get_interop_type_desc, Interop object, int property) {
  return api_omp_get_interop_type_desc(object, property);
}
TULLE_LLVM_FORTRAN(const char*, omp_get_interop_rc_desc, Interop object, int32_t result) {
  return api_omp_get_interop_rc_desc(object, result);
}
