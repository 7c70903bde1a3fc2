// SPDX-License-Identifier: Apache-2.0
// Sleeping and waking OS threads by address. None of these writes errno or touches the TLS block.
// Private to the process.
#pragma once

#include <atomic>
#include <cstdint>

namespace tulle::os {

// Of those that sleep on one word some may be woken and not others.
inline constexpr uint32_t kAllSleepers = UINT32_MAX;

// Sleeps while word == expected; may return early for no reason. Blocks the OS thread.
void futex_wait(const std::atomic<uint32_t>& word, uint32_t expected, uint32_t bits = kAllSleepers);

// The same with all bits, and a limit in nanoseconds. False when the limit passed.
bool futex_wait_for(const std::atomic<uint32_t>& word, uint32_t expected, uint64_t nanoseconds);

// Wakes up to `count` OS threads that sleep on word with one of the bits.
void futex_wake(const std::atomic<uint32_t>& word, int count, uint32_t bits = kAllSleepers);

}  // namespace tulle::os
