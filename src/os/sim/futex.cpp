// SPDX-License-Identifier: Apache-2.0
#include "os/futex.h"

#include "arch/simulation.h"

namespace tulle::os {

void futex_wait(const std::atomic<uint32_t>& word, uint32_t expected) {
  futex_wait_with(word, expected, UINT32_MAX);
}

bool futex_wait_for(const std::atomic<uint32_t>& word, uint32_t expected, uint64_t nanoseconds) {
  return tulle_sim_wait(&word, expected, nanoseconds, UINT32_MAX);
}

void futex_wake(const std::atomic<uint32_t>& word, int count) { tulle_sim_wake(&word, count, UINT32_MAX); }

void futex_wait_with(const std::atomic<uint32_t>& word, uint32_t expected, uint32_t bits) {
  tulle_sim_wait(&word, expected, kTulleSimEndless, bits);
}

void futex_wake_with(const std::atomic<uint32_t>& word, uint32_t bits) { tulle_sim_wake(&word, INT32_MAX, bits); }

}  // namespace tulle::os
