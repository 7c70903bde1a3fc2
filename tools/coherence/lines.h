// SPDX-License-Identifier: Apache-2.0
// Cache lines and who has them. A line that only one core has ever touched costs nothing but a hit; any other has
// an owner or sharers, a home (the socket that touched its page first, or that it was put at), and a time until which it is busy, for
// transfers of one line come one after the other. Cores of a cluster get from each other what one of them has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tulle::coherence {

void read_line(uintptr_t address, const void* instruction);
void write_line(uintptr_t address, const void* instruction);
// Returns when the line is here and all earlier accesses of the core are done.
void change_line(uintptr_t address, const void* instruction);

// The home of the pages of [address, address + bytes) from now on.
void place_pages(const void* address, std::size_t bytes, int home);

}  // namespace tulle::coherence
