// SPDX-License-Identifier: Apache-2.0
#include "os/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

#include <cerrno>

#include "arch/system_call.h"

namespace tulle::os {

namespace {

long address_of(const std::atomic<uint32_t>& word) { return reinterpret_cast<long>(&word); }

}  // namespace

void futex_wait(const std::atomic<uint32_t>& word, uint32_t expected) {
  arch::system_call(SYS_futex, address_of(word), FUTEX_WAIT_PRIVATE, expected, 0);
}

bool futex_wait_for(const std::atomic<uint32_t>& word, uint32_t expected, uint64_t nanoseconds) {
  timespec limit;
  limit.tv_sec = static_cast<time_t>(nanoseconds / 1000000000u);
  limit.tv_nsec = static_cast<long>(nanoseconds % 1000000000u);
  long result = arch::system_call(SYS_futex, address_of(word), FUTEX_WAIT_PRIVATE, expected,
                                  reinterpret_cast<long>(&limit));
  return result != -ETIMEDOUT;
}

void futex_wake(const std::atomic<uint32_t>& word, int count) {
  arch::system_call(SYS_futex, address_of(word), FUTEX_WAKE_PRIVATE, count);
}

void futex_wait_with(const std::atomic<uint32_t>& word, uint32_t expected, uint32_t bits) {
  arch::system_call(SYS_futex, address_of(word), FUTEX_WAIT_BITSET_PRIVATE, expected, 0, 0, bits);
}

void futex_wake_with(const std::atomic<uint32_t>& word, uint32_t bits) {
  arch::system_call(SYS_futex, address_of(word), FUTEX_WAKE_BITSET_PRIVATE, INT32_MAX, 0, 0, bits);
}

}  // namespace tulle::os
