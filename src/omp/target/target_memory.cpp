// SPDX-License-Identifier: Apache-2.0
#include "omp/target/target_memory.h"

namespace tulle::omp {
namespace {

// Bytes of one element of dimension `at`: the product of the dimensions inside it.
bool stride_of(const std::size_t* shape, int at, const BoxCopy& box, std::size_t& bytes) {
  bytes = box.element;
  for (int d = at + 1; d < box.dimensions; ++d)
    if (__builtin_mul_overflow(bytes, shape[d], &bytes)) return false;
  return true;
}

bool copy_dimension(char* to, const char* from, const BoxCopy& box, int at) {
  std::size_t to_stride = 0, from_stride = 0, to_offset = 0, from_offset = 0;
  if (!stride_of(box.to_shape, at, box, to_stride)) return false;
  if (!stride_of(box.from_shape, at, box, from_stride)) return false;
  if (__builtin_mul_overflow(to_stride, box.to_offsets[at], &to_offset)) return false;
  if (__builtin_mul_overflow(from_stride, box.from_offsets[at], &from_offset)) return false;
  to += to_offset;
  from += from_offset;
  if (at == box.dimensions - 1) {
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(box.element, box.volume[at], &bytes)) return false;
    box.copy_row(box.context, to, from, bytes);
    return true;
  }
  for (std::size_t i = 0; i < box.volume[at]; ++i, to += to_stride, from += from_stride)
    if (!copy_dimension(to, from, box, at + 1)) return false;
  return true;
}

}  // namespace

bool copy_box(void* to, const void* from, const BoxCopy& box) {
  if (box.dimensions < 1) return false;
  return copy_dimension(static_cast<char*>(to), static_cast<const char*>(from), box, 0);
}

}  // namespace tulle::omp
