// SPDX-License-Identifier: Apache-2.0
// The block that a target region's function is called with: the address of each item as the region sees it, and
// behind them the copies of what is firstprivate.
#pragma once

#include "offload/maps.h"

namespace tulle::offload {

inline constexpr size_t kArgumentAlignment = 64;

inline bool is_copied(const MapItem& item) { return item.action == Action::copy && item.address != nullptr; }

// Bytes of a block that begins anywhere.
size_t argument_bytes(Maps maps);

// The addresses are there; those of what is copied become the copies'.
void copy_arguments(void* block, Maps maps);

}  // namespace tulle::offload
