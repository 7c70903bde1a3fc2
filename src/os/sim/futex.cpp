// SPDX-License-Identifier: Apache-2.0
#include "os/futex.h"

#include "arch/simulation.h"

namespace tulle::os {

void futex_wait(const std::atomic<uint32_t>& word, uint32_t expected) {
  tulle_sim_wait(&word, expected, kTulleSimEndless);
}

bool futex_wait_for(const std::atomic<uint32_t>& word, uint32_t expected, uint64_t nanoseconds) {
  return tulle_sim_wait(&word, expected, nanoseconds);
}

void futex_wake(const std::atomic<uint32_t>& word, int count) { tulle_sim_wake(&word, count); }

}  // namespace tulle::os
