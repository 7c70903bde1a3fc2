// SPDX-License-Identifier: Apache-2.0
// Copies of boxes out of arrays into others (OpenMP 5.2 §18.8), in memory that the caller can copy. Any thread.
#pragma once

#include <cstddef>

namespace tulle::omp {

// A copy of a box of `dimensions` out of one array into another; counts are of elements.
struct BoxCopy {
  std::size_t element;
  int dimensions;
  const std::size_t* volume;
  const std::size_t* to_offsets;
  const std::size_t* from_offsets;
  const std::size_t* to_shape;
  const std::size_t* from_shape;
  void (*copy_row)(const void* context, void* to, const void* from, std::size_t bytes);
  const void* context;
};

// False, with nothing copied, if a size overflows or a number of dimensions is not positive.
bool copy_box(void* to, const void* from, const BoxCopy& box);

}  // namespace tulle::omp
