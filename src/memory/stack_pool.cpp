// SPDX-License-Identifier: Apache-2.0
#include "memory/stack_pool.h"

#include <algorithm>
#include <atomic>
#include <new>

#include "base/cacheline.h"
#include "memory/stack_code.h"
#include "os/clock.h"
#include "os/memory.h"
#include "os/report.h"
#include "sync/spinlock.h"

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(lowest, end) 0
#define VALGRIND_STACK_DEREGISTER(id) (void)(id)
#endif

namespace tulle::memory {

namespace {

constexpr size_t kSmallest = 16 * 1024;
constexpr size_t kLargest = size_t{1} << 47;  // all that a process can address: sums of sizes stay sums
constexpr size_t kLeast = 64 * 1024;  // of a stack that stands in for a larger one
constexpr uint32_t kKept = 64;  // stacks in the pool that are never unmapped: the workers of a large machine park on some
constexpr size_t kHeader = (sizeof(Stack) + 63) & ~size_t{63};

constexpr uint32_t kShelves = 8;  // of nodes; those of several, where there are more

TULLE_HELD_AT_FORK sync::Spinlock pool_lock;
Stack* shelves[kShelves] TULLE_GUARDED_BY(pool_lock) = {};  // the pool, by memory node
std::atomic<int (*)()> node_of_caller{nullptr};
Link all_stacks TULLE_GUARDED_BY(pool_lock);  // through Stack::mapped
uint32_t period TULLE_GUARDED_BY(pool_lock) = 0;
std::atomic<uint32_t> in_use{0};  // W: under pool_lock; relaxed, as the next two: hints
std::atomic<uint32_t> limit{0};
std::atomic<uint64_t> went_beyond_at{0};
std::atomic<size_t> size{size_t{8} << 20};
void (*unmap_hook)(Stack*) = nullptr;  // W: when the library is loaded

void count_in_use(uint32_t by) TULLE_UNDER(pool_lock) {
  in_use.store(in_use.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

void let_code_run(Stack* stack) TULLE_UNDER(pool_lock) {
  if (!stack->executable) stack->executable = os::make_stack_executable(stack->lowest, stack->bytes);
}

// Relaxed: who does not see it yet takes what there was before.
int node_here() {
  int (*const node)() = node_of_caller.load(std::memory_order_relaxed);
  return TULLE_LIKELY(node == nullptr) ? 0 : node();
}

Stack*& shelf_of(int node) TULLE_UNDER(pool_lock) { return shelves[static_cast<uint32_t>(node) % kShelves]; }

// Its frames begin on the page of its header, which the caller touches first; so the others, if it runs there.
Stack* map_new(size_t bytes) {
  bool runs_code = modules_run_code_on_stacks();
  void* lowest = os::map_stack(bytes);
  if (lowest == nullptr) return nullptr;
  size_t usable = (bytes + os::page_size() - 1) & ~(os::page_size() - 1);
  auto* stack = new (static_cast<char*>(lowest) + usable - kHeader) Stack{};
  stack->lowest = lowest;
  stack->bytes = usable;
  stack->node = node_here();
  stack->middle = reinterpret_cast<uintptr_t>(lowest) + usable / 2;
  stack->room = usable - usable / 2;
  stack->valgrind_id = VALGRIND_STACK_REGISTER(lowest, static_cast<char*>(lowest) + usable);
  sync::Guard guard(pool_lock);
  stack->mapped.insert_before(&all_stacks);
  count_in_use(1);
  if (runs_code) let_code_run(stack);
  return stack;
}

// It is in no list.
void unmap(Stack* stack) {
  if (unmap_hook != nullptr) unmap_hook(stack);
  VALGRIND_STACK_DEREGISTER(stack->valgrind_id);
  os::unmap_stack(stack->lowest, stack->bytes);
}

// Address space runs out before memory does: a much smaller stack serves most programs, and one that
// overflows it is told so.
TULLE_COLD Stack* map_smaller(size_t wanted) {
  static std::atomic<bool> reported{false};
  for (size_t bytes = wanted / 64 < kLeast ? kLeast : wanted / 64;
       bytes >= kLeast && bytes < wanted; bytes /= 4) {
    Stack* stack = map_new(bytes);
    if (stack == nullptr) continue;
    if (!reported.exchange(true, std::memory_order_relaxed))  // relaxed: it guards no data
      os::report("no memory for a stack of %zu KiB: %zu KiB instead; OMP_STACKSIZE sets the size",
                 wanted / 1024, bytes / 1024);
    return stack;
  }
  return nullptr;
}

Stack* stack_of(Link* link) {
  return reinterpret_cast<Stack*>(reinterpret_cast<char*>(link) - offsetof(Stack, mapped));
}

bool lies_on(const Stack* stack, const void* address) {
  auto* lowest = static_cast<const char*>(stack->lowest);
  return address >= lowest && address < lowest + stack->bytes;
}

}  // namespace

void set_stack_size(size_t bytes) {
  size.store(std::clamp(bytes, kSmallest, kLargest), std::memory_order_relaxed);  // a plain setting
}

size_t stack_size() { return size.load(std::memory_order_relaxed); }

void set_node_of_caller(int (*node)()) { node_of_caller.store(node, std::memory_order_relaxed); }

Stack* take_stack() {
  if (TULLE_UNLIKELY(stack_limit_reached())) went_beyond_at.store(os::now(), std::memory_order_relaxed);
  const int node = node_here();
  {
    sync::Guard guard(pool_lock);
    Stack*& first = shelf_of(node);
    if (Stack* stack = first) {
      first = stack->next;
      count_in_use(1);
      return stack;
    }
  }
  size_t wanted = stack_size();
  Stack* stack = map_new(wanted);
  return stack != nullptr ? stack : map_smaller(wanted);
}

void give_stack(Stack* stack) {
  bool stays = stack->bytes >= stack_size();  // else it stood in for a larger one, or the size was raised
  {
    sync::Guard guard(pool_lock);
    count_in_use(static_cast<uint32_t>(-1));
    if (stays) {
      stack->given_in = period;
      Stack*& first = shelf_of(stack->node);
      stack->next = first;
      first = stack;
    } else {
      stack->mapped.remove();
    }
  }
  if (!stays) unmap(stack);
}

// Last in, first out: those that came first lie at the end.
bool trim_stacks() {
  Stack* old = nullptr;
  bool more = false;
  {
    sync::Guard guard(pool_lock);
    for (Stack*& shelf : shelves) {
      Stack** end = &shelf;
      uint32_t kept = 0;
      for (; *end != nullptr && (kept < kKept || (*end)->given_in == period); ++kept) end = &(*end)->next;
      more |= kept > kKept;
      while (Stack* stack = *end) {
        *end = stack->next;
        stack->mapped.remove();
        stack->next = old;
        old = stack;
      }
    }
    ++period;
  }
  while (old != nullptr) {
    Stack* stack = old;
    old = stack->next;
    unmap(stack);
  }
  return more;
}

void set_stack_limit(uint32_t stacks) { limit.store(stacks, std::memory_order_relaxed); }

bool stack_limit_reached() {
  uint32_t most = limit.load(std::memory_order_relaxed);
  return most != 0 && in_use.load(std::memory_order_relaxed) >= most;
}

bool stacks_are_short(uint64_t patience) {
  return stack_limit_reached() && os::now() - went_beyond_at.load(std::memory_order_relaxed) < patience;
}

void follow_modules() {
  static std::atomic<bool> followed{false};  // relaxed: who looks too early maps none of the old stacks
  if (followed.load(std::memory_order_relaxed) || !modules_run_code_on_stacks()) return;
  sync::Guard guard(pool_lock);
  for (Link* link = all_stacks.next; link != &all_stacks; link = link->next) let_code_run(stack_of(link));
  followed.store(true, std::memory_order_relaxed);
}

bool let_code_run_at(const void* address) {
  if (!modules_run_code_on_stacks_if_free() || !pool_lock.lock_unless_kept()) return false;
  bool runs = false;  // also where another's fault has let it run since this one
  for (Link* link = all_stacks.next; link != &all_stacks; link = link->next) {
    Stack* stack = stack_of(link);
    let_code_run(stack);
    runs = runs || (lies_on(stack, address) && stack->executable);
  }
  pool_lock.unlock();
  return runs;
}

void list_stack(Stack* stack) {
  stack->valgrind_id = VALGRIND_STACK_REGISTER(stack->lowest, stack->top());
  sync::Guard guard(pool_lock);
  stack->mapped.insert_before(&all_stacks);
}

void unlist_stack(Stack* stack) {
  {
    sync::Guard guard(pool_lock);
    stack->mapped.remove();
  }
  VALGRIND_STACK_DEREGISTER(stack->valgrind_id);
}

void set_unmap_hook(void (*hook)(Stack*)) { unmap_hook = hook; }

size_t suspended_stacks() {
  size_t count = 0;
  sync::Guard guard(pool_lock);
  for (Link* link = all_stacks.next; link != &all_stacks; link = link->next)
    if (stack_of(link)->suspended != nullptr) ++count;
  return count;
}

size_t stack_above_guard(const void* address) {
  auto* at = static_cast<const char*>(address);
  size_t bytes = 0;
  if (!pool_lock.lock_unless_kept()) return 0;
  for (Link* link = all_stacks.next; link != &all_stacks && bytes == 0; link = link->next) {
    Stack* stack = stack_of(link);
    auto* lowest = static_cast<const char*>(stack->lowest);
    if (at < lowest && at >= lowest - os::stack_guard_size(stack->bytes)) bytes = stack->bytes;
  }
  pool_lock.unlock();
  return bytes;
}

}  // namespace tulle::memory
