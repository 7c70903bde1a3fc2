// SPDX-License-Identifier: Apache-2.0
//
// The table of locks for wide atomics. Addresses sixteen bytes apart get different locks.
#include "omp/sync/wide_atomic.h"

#include <cstdint>

#include "base/cacheline.h"
#include "base/hash.h"

namespace tulle::omp {
namespace {

constexpr unsigned kLockBits = 6;

struct TULLE_CACHE_ALIGNED PaddedLock {
  sync::Spinlock lock;
};

PaddedLock locks[1u << kLockBits];

}  // namespace

sync::Spinlock& wide_atomic_lock(const void* location) {
  return locks[golden_hash(reinterpret_cast<uintptr_t>(location) >> 4) >> (64 - kLockBits)].lock;
}

void free_wide_atomic_locks() TULLE_WITHOUT_LOCKS {
  for (PaddedLock& padded : locks) padded.lock.unlock();
}

}  // namespace tulle::omp
