// SPDX-License-Identifier: Apache-2.0
#include "offload/faults.h"

#include <stdlib.h>
#include <unistd.h>

#include "os/child.h"
#include "os/report.h"

namespace tulle::offload {

void not_present(const Device& device, const void* address, size_t bytes) {
  os::report("%zu bytes at %p are not mapped to device %d, as the program says they are", bytes, address,
             device.number);
  exit(EXIT_FAILURE);
}

void overlaps(const Device& device, const void* address, size_t bytes, const Mapping& other) {
  os::report("%zu bytes at %p are mapped to device %d in part only: the %zu at %p", bytes, address, device.number,
             other.end - other.begin, reinterpret_cast<void*>(other.begin));
  exit(EXIT_FAILURE);
}

void not_with_its_structure(const Device& device, const void* address, size_t bytes) {
  os::report("%zu bytes at %p are not mapped to device %d, where other parts of their structure are", bytes, address,
             device.number);
  exit(EXIT_FAILURE);
}

// What the program does at its end is the host's to do.
void refuse_reverse(const Device& device) {
  os::report("device %d: a region inside of one asks for the host (`device(ancestor: 1)`), which is not to be had",
             device.number);
  if (device.kind == omp::DeviceKind::cluster) exit(EXIT_FAILURE);
  os::flush_output();
  _exit(EXIT_FAILURE);
}

}  // namespace tulle::offload
