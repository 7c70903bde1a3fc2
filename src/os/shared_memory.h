// SPDX-License-Identifier: Apache-2.0
// Memory that a process has in common with the children that it forks, at the same address, and words in it that
// OS threads of both sleep on. It has no name anywhere and goes with the last process that has it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tulle::os {

// What the machine has.
size_t machine_memory();

// Zeroed, page-aligned, committed on touch; null when the system has no more.
void* map_shared(size_t bytes);
void unmap_shared(void* address, size_t bytes);

// The same memory once more, in place of what is at `address`. Both on pages' boundaries. False: the system refuses.
bool map_shared_at(void* address, void* shared, size_t bytes);

// The whole pages of the range are zero from now on, and cost nothing.
void empty_shared(void* address, size_t bytes);

// As futex_wait_for() and futex_wake() (os/futex.h), between processes.
bool shared_futex_wait_for(const std::atomic<uint32_t>& word, uint32_t expected, uint64_t nanoseconds);
void shared_futex_wake(const std::atomic<uint32_t>& word, int count);

}  // namespace tulle::os
