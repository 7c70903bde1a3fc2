// SPDX-License-Identifier: Apache-2.0
#include "os/futex.h"

#include "arch/simulation.h"

namespace tulle::os {

void futex_wait(const std::atomic<uint32_t>& word, uint32_t expected, uint32_t bits) {
  tulle_sim_wait(&word, expected, kTulleSimEndless, bits);
}

bool futex_wait_for(const std::atomic<uint32_t>& word, uint32_t expected, uint64_t nanoseconds) {
  return tulle_sim_wait(&word, expected, nanoseconds, kAllSleepers);
}

void futex_wake(const std::atomic<uint32_t>& word, int count, uint32_t bits) { tulle_sim_wake(&word, count, bits); }

}  // namespace tulle::os
