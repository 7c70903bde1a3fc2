// SPDX-License-Identifier: Apache-2.0
#include "os/memory.h"

#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "os/keep_errno.h"
#include "os/thread.h"

namespace tulle::os {

namespace {

// Of the process's own stack.
rlim_t stack_limit() {
  rlimit limit;
  return getrlimit(RLIMIT_STACK, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

}  // namespace

size_t page_size() {
  static std::atomic<size_t> known{0};
  size_t size = known.load(std::memory_order_relaxed);  // relaxed: whoever sees nothing asks itself
  if (size == 0) {
    size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    known.store(size, std::memory_order_relaxed);
  }
  return size;
}

// Frames larger than the guard step over it, as those of large arrays do: it costs nothing but addresses. A page more,
// so that the tops of stacks that lie one below the other are no power of two of pages apart: those would meet in the
// same few entries of the processor's table of pages.
size_t stack_guard_size(size_t bytes) {
  constexpr size_t kLeast = 64 * 1024;
  return whole_pages(bytes / 8 < kLeast ? kLeast : bytes / 8) + page_size();
}

size_t default_stack_size() {
  constexpr size_t kWithoutLimit = size_t{8} << 20;
  KeepErrno keep;
  rlim_t limit = stack_limit();
  return limit != RLIM_INFINITY ? limit : kWithoutLimit;
}

void* map_stack(size_t bytes) {
  KeepErrno keep;
  size_t guard = stack_guard_size(whole_pages(bytes));
  size_t total = whole_pages(bytes) + guard;
  void* base = mmap(nullptr, total, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return nullptr;
  if (mprotect(base, guard, PROT_NONE) != 0) {
    munmap(base, total);
    return nullptr;
  }
  // A huge page would be filled with zeros for a stack of a few frames. Older kernels do not take MAP_STACK for that.
  madvise(base, total, MADV_NOHUGEPAGE);
  return static_cast<char*>(base) + guard;
}

void unmap_stack(void* lowest, size_t bytes) {
  KeepErrno keep;
  size_t guard = stack_guard_size(whole_pages(bytes));
  munmap(static_cast<char*>(lowest) - guard, whole_pages(bytes) + guard);
}

bool make_stack_executable(void* lowest, size_t bytes) {
  KeepErrno keep;
  return mprotect(lowest, whole_pages(bytes), PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
}

namespace {

// The kernel's random bytes lie above the first frame, and above them nothing but arguments and environment,
// which take a quarter of the limit at most. The C library would read /proc for this stack.
NativeStack initial_stack() {
  constexpr uintptr_t kEndless = uintptr_t{1} << 36, kUsable = uintptr_t{1} << 30;
  rlim_t limit = stack_limit();
  uintptr_t first = getauxval(AT_RANDOM);
  if (limit >= kEndless) return {first - kEndless, first - kUsable, first, UINTPTR_MAX};
  return {first - limit, first - limit / 4 * 3, first, UINTPTR_MAX};
}

}  // namespace

NativeStack native_stack() {
  KeepErrno keep;
  if (kernel_thread_id() == process_id()) return initial_stack();
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* lowest = nullptr;
  size_t bytes = 0;
  pthread_attr_getstack(&attributes, &lowest, &bytes);
  pthread_attr_destroy(&attributes);
  auto end = reinterpret_cast<uintptr_t>(lowest);
  return {end, end, end + bytes, end + bytes};
}

void* map_memory(size_t bytes) {
  KeepErrno keep;
  void* base = mmap(nullptr, whole_pages(bytes), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return base == MAP_FAILED ? nullptr : base;
}

void unmap_memory(void* address, size_t bytes) {
  KeepErrno keep;
  munmap(address, whole_pages(bytes));
}

void* map_memory_at(void* address, size_t bytes) {
  KeepErrno keep;
  void* base = mmap(address, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (base == address) return base;
  if (base != MAP_FAILED) munmap(base, bytes);  // a kernel that does not know the flag
  return nullptr;
}

void empty_memory(void* address, size_t bytes) {
  KeepErrno keep;
  uintptr_t page = page_size(), begin = (reinterpret_cast<uintptr_t>(address) + page - 1) & ~(page - 1);
  uintptr_t end = (reinterpret_cast<uintptr_t>(address) + bytes) & ~(page - 1);
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

bool is_mapped(const void* address) {
  KeepErrno keep;
  auto page = reinterpret_cast<uintptr_t>(address) & ~(page_size() - 1);
  unsigned char resident;
  return mincore(reinterpret_cast<void*>(page), page_size(), &resident) == 0 || errno != ENOMEM;
}

}  // namespace tulle::os
