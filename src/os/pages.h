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

// How many nodes have memory; 1 where the system knows none. Reads a file.
int memory_node_count();

// The node of the processor that carries the calling OS thread, by the system's number; 0 where it knows none. Some 20 ns.
int current_memory_node();

// Fresh pages of [address, address + bytes) come from the node, and those that are there move to it, where the system
// lets them. Page-aligned.
void put_at_node(void* address, size_t bytes, int node);

}  // namespace tulle::os
