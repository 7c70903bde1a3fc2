// SPDX-License-Identifier: Apache-2.0
// Sleeping and waking OS threads by address. None of these writes errno or touches the TLS block.
// Private to the process.
#pragma once

#include <atomic>
#include <cstdint>

namespace tulle::os {

// Sleeps while word == expected; may return early for no reason. Blocks the OS thread.
void futex_wait(const std::atomic<uint32_t>& word, uint32_t expected);

// The same with a limit in nanoseconds. False when the limit passed.
bool futex_wait_for(const std::atomic<uint32_t>& word, uint32_t expected, uint64_t nanoseconds);

// Wakes up to `count` OS threads that sleep on word.
void futex_wake(const std::atomic<uint32_t>& word, int count);

// Sleepers with bits, of which some are woken and not others: all that have one in common with the waker. Those without
// have all.
void futex_wait_with(const std::atomic<uint32_t>& word, uint32_t expected, uint32_t bits);
void futex_wake_with(const std::atomic<uint32_t>& word, uint32_t bits);

}  // namespace tulle::os
