// SPDX-License-Identifier: Apache-2.0
#include "memory/stack_pool.h"

#include <atomic>
#include <new>

#include "os/memory.h"
#include "sync/spinlock.h"

namespace tulle::memory {

namespace {

constexpr size_t kSmallest = 16 * 1024;
constexpr size_t kHeader = (sizeof(Stack) + 63) & ~size_t{63};

TULLE_HELD_AT_FORK sync::Spinlock pool_lock;
Stack* pool = nullptr;  // under pool_lock
std::atomic<size_t> size{size_t{8} << 20};
std::atomic<uint64_t> mapped{0};
std::atomic<uint64_t> in_use{0};

Stack* map_new(size_t bytes) {
  void* lowest = os::map_stack(bytes);
  if (lowest == nullptr) return nullptr;
  size_t usable = (bytes + os::page_size() - 1) & ~(os::page_size() - 1);
  auto* stack = new (static_cast<char*>(lowest) + usable - kHeader) Stack{};
  stack->lowest = lowest;
  stack->bytes = usable;
  mapped.fetch_add(1, std::memory_order_relaxed);  // relaxed: a statistic
  return stack;
}

}  // namespace

void set_stack_size(size_t bytes) {
  size.store(bytes < kSmallest ? kSmallest : bytes, std::memory_order_relaxed);  // a plain setting
}

size_t stack_size() { return size.load(std::memory_order_relaxed); }

Stack* take_stack() {
  in_use.fetch_add(1, std::memory_order_relaxed);  // relaxed: a statistic
  {
    sync::Guard guard(pool_lock);
    if (Stack* stack = pool) {
      pool = stack->next;
      return stack;
    }
  }
  Stack* stack = map_new(stack_size());
  if (stack == nullptr) in_use.fetch_sub(1, std::memory_order_relaxed);
  return stack;
}

void give_stack(Stack* stack) {
  in_use.fetch_sub(1, std::memory_order_relaxed);  // relaxed: a statistic
  if (stack->bytes < stack_size()) {               // the size was raised meanwhile
    mapped.fetch_sub(1, std::memory_order_relaxed);
    os::unmap_stack(stack->lowest, stack->bytes);
    return;
  }
  sync::Guard guard(pool_lock);
  stack->next = pool;
  pool = stack;
}

StackUsage stack_usage() {
  return {mapped.load(std::memory_order_relaxed), in_use.load(std::memory_order_relaxed)};
}

}  // namespace tulle::memory
