// SPDX-License-Identifier: Apache-2.0
#include "os/shared_memory.h"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "os/keep_errno.h"
#include "os/memory.h"

namespace tulle::os {

size_t machine_memory() { return static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * page_size(); }

void* map_shared(size_t bytes) {
  KeepErrno keep;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory != MAP_FAILED ? memory : nullptr;
}

void unmap_shared(void* address, size_t bytes) { munmap(address, bytes); }

bool map_shared_at(void* address, void* shared, size_t bytes) {
  KeepErrno keep;
  return mremap(shared, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, address) == address;
}

void empty_shared(void* address, size_t bytes) {
  KeepErrno keep;
  uintptr_t page = page_size(), begin = (reinterpret_cast<uintptr_t>(address) + page - 1) & ~(page - 1);
  uintptr_t end = (reinterpret_cast<uintptr_t>(address) + bytes) & ~(page - 1);
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_REMOVE);
}

bool shared_futex_wait_for(const std::atomic<uint32_t>& word, uint32_t expected, uint64_t nanoseconds) {
  KeepErrno keep;
  constexpr uint64_t kSecond = 1000000000;
  timespec limit{static_cast<time_t>(nanoseconds / kSecond), static_cast<long>(nanoseconds % kSecond)};
  return syscall(SYS_futex, &word, FUTEX_WAIT, expected, &limit, nullptr, 0) == 0 || errno != ETIMEDOUT;
}

void shared_futex_wake(const std::atomic<uint32_t>& word, int count) {
  KeepErrno keep;
  syscall(SYS_futex, &word, FUTEX_WAKE, count, nullptr, nullptr, 0);
}

}  // namespace tulle::os
