// SPDX-License-Identifier: Apache-2.0
// Members that are suspended where the C library would block their OS thread.
#pragma once

#include <time.h>

#include <cstdint>

namespace tulle::libc {

// The caller, which may_be_seen(), is a member that may be suspended until the object is announced.
bool may_suspend(const void* object);

inline uint64_t nanoseconds_of(const timespec& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1000000000 + static_cast<uint64_t>(time.tv_nsec);
}

// The suspension would end for no reason well before the clock shows this time. False: it is not a time, too.
bool is_far(clockid_t clock, const timespec* end);

}  // namespace tulle::libc
