// SPDX-License-Identifier: Apache-2.0
// Where mapped pages live: locked into memory, and on which NUMA nodes. Any thread may call.
#pragma once

#include <cstddef>

namespace tulle::os {

// Keeps the pages of [address, address + bytes) in memory. False if the system refuses.
bool lock_pages(void* address, size_t bytes);

// Which nodes fresh pages come from. `near` is the caller's present node, `blocked` gives each node
// one contiguous part, `interleaved` deals single pages out in turn.
enum class PageSpread { near, blocked, interleaved };

// Asks for it before the pages of [address, address + bytes) are first touched; page-aligned. On a
// machine of one node, or where the system refuses, pages come from where they are touched.
void spread_pages(void* address, size_t bytes, PageSpread spread);

}  // namespace tulle::os
