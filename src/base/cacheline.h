// SPDX-License-Identifier: Apache-2.0
// Cache lines, which writers of different fields must not share, and marks for the compiler and the
// reader: likely branches, cold code, functions that may suspend.
#pragma once

#include <cstddef>

namespace tulle {

inline constexpr std::size_t kCacheLine = 64;
inline constexpr std::size_t kCacheLinePair = 128;  // what hardware fetches at once when it may

// Asks for all lines of an object that is about to be written; any address will do.
template <class T>
inline void prefetch_object(const T* object) {
  for (std::size_t offset = 0; offset < sizeof(T); offset += kCacheLine)
    __builtin_prefetch(reinterpret_cast<const char*>(object) + offset, 1);
}

// Leaves the cache line alone when nothing changes. Others may look meanwhile (base/look.h).
template <class T>
inline void keep(T& field, T value) {
  if (field != value) __atomic_store(&field, &value, __ATOMIC_RELAXED);
}

}  // namespace tulle

#define TULLE_CACHE_ALIGNED alignas(::tulle::kCacheLine)
#define TULLE_PAIR_ALIGNED alignas(::tulle::kCacheLinePair)
#define TULLE_NOINLINE __attribute__((noinline))
#define TULLE_COLD __attribute__((noinline, cold))
#define TULLE_INLINE inline __attribute__((always_inline))
#define TULLE_LIKELY(x) __builtin_expect(!!(x), 1)
#define TULLE_UNLIKELY(x) __builtin_expect(!!(x), 0)

// Of a variable that entry points look at: its address needs no instruction of its own.
#define TULLE_NEAR __attribute__((visibility("hidden")))

// Marks a function that may switch to another ULT before it returns: the caller's worker can be
// another one afterwards, so no worker pointer and no address of thread-local data lives across it.
#define TULLE_MAY_SUSPEND
