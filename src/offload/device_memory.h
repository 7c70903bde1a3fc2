// SPDX-License-Identifier: Apache-2.0
// Memory of devices and of the host by the devices' numbers (OpenMP 5.2 §18.8). What allocate() returns for any
// device in a process of this machine can be read and written here too. What is asked of a number that names none fails.
#pragma once

#include <cstddef>

#include "base/cacheline.h"
#include "omp/target/target_memory.h"

namespace tulle::offload {

bool is_host(int device);
bool has_memory(int device);  // the host's or a device's number

void* allocate(int device, std::size_t bytes);
void release(int device, void* block);

TULLE_MAY_SUSPEND bool copy_between(int to_device, void* to, int from_device, const void* from, std::size_t bytes);

// Nothing where there is no such device.
TULLE_MAY_SUSPEND void fill(int device, void* block, int value, std::size_t bytes);

TULLE_MAY_SUSPEND bool is_present(int device, const void* address);
TULLE_MAY_SUSPEND bool is_accessible(int device, const void* address, std::size_t bytes);
// Null: it has no counterpart there.
TULLE_MAY_SUSPEND void* mapped_address(int device, const void* address);

// False where there is a counterpart of some of it already, or none that was associated.
TULLE_MAY_SUSPEND bool associate(int device, const void* host, std::size_t bytes, const void* counterpart);
TULLE_MAY_SUSPEND bool disassociate(int device, const void* host);

}  // namespace tulle::offload
