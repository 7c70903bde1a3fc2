// SPDX-License-Identifier: Apache-2.0
// Memory of devices (OpenMP 5.2 §18.8) where the host is the only device: its memory is the
// program's own. Device numbers as in target_host.h. Any thread.
#pragma once

#include <cstddef>

namespace tulle::omp {

inline constexpr int kHostDevice = 0;  // omp_get_initial_device() where there are no others

// Whether a device number names the host; no other device exists.
bool is_host(int device);

// A copy of a box of `dimensions` out of one array into another; counts are of elements.
struct BoxCopy {
  std::size_t element;
  int dimensions;
  const std::size_t* volume;
  const std::size_t* to_offsets;
  const std::size_t* from_offsets;
  const std::size_t* to_shape;
  const std::size_t* from_shape;
};

// False, with nothing copied, if a size overflows or a number of dimensions is not positive.
bool copy_box(void* to, const void* from, const BoxCopy& box);

}  // namespace tulle::omp
