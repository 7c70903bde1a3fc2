// SPDX-License-Identifier: Apache-2.0
// Address space from the operating system.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tulle::os {

size_t page_size();
inline size_t whole_pages(size_t bytes) { return (bytes + page_size() - 1) & ~(page_size() - 1); }  // rounded up

// Inaccessible bytes below a stack of `bytes` usable ones.
size_t stack_guard_size(size_t bytes);

// The size of a stack where nobody says more: as much as the process's own may have, or 8 MiB where that
// has no limit.
size_t default_stack_size();

// A stack of `bytes` usable bytes (rounded up to pages) above its guard, committed on touch.
// Returns the lowest usable address, or null when the system has no more.
void* map_stack(size_t bytes);
void unmap_stack(void* lowest, size_t bytes);

// From now on code on the stack can be run. False if the system refuses.
bool make_stack_executable(void* lowest, size_t bytes);

// The stack that the calling OS thread began on. No frame of it lies below `lowest` or above `top`; it may
// grow down to `usable` for certain; its first frames lie at `first`. All null: not known.
struct NativeStack {
  uintptr_t lowest, usable, first, top;
};
NativeStack native_stack();

// Zeroed, page-aligned memory; null when the system has no more.
void* map_memory(size_t bytes);
void unmap_memory(void* address, size_t bytes);

// Zeroed memory at this address, committed on touch; null: something else is there, or the system has no more.
void* map_memory_at(void* address, size_t bytes);
// The whole pages of the range are zero from now on, and cost nothing.
void empty_memory(void* address, size_t bytes);

// Whether the process has a page at `address`; true where the system does not say. A system call.
bool is_mapped(const void* address);

}  // namespace tulle::os
