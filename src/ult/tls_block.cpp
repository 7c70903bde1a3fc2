// SPDX-License-Identifier: Apache-2.0
#include "ult/tls_block.h"

#include <cstdlib>
#include <new>

#include "arch/cpu.h"
#include "arch/current.h"
#include "base/cacheline.h"
#include "os/futex.h"
#include "os/restartable.h"
#include "os/setxid.h"
#include "os/thread.h"
#include "ult/port_contract.h"
#include "ult/sanitizer.h"

namespace tulle::ult {

namespace {

enum State : uint32_t { kStarting, kAwaited, kParked, kEnding };

// A caller of pthread_exit under a block unwinds to the frames in which the block's OS thread began,
// and says from there that this ends the process: what that OS thread does meanwhile lies far below.
constexpr size_t kRoomForLastWords = 32 * 1024;

// The pthread sleeps while others run below its frames. It may have to handle the C library's own signals,
// which nobody can block: their frames lie here.
constexpr size_t kRoomForSignals = 32 * 1024;
constexpr size_t kLeastStack = 64 * 1024;

// Stacks lie at multiples of their size, so the frames of all members would meet in a few sets of a core's cache. They
// begin at so many distances from the end, by turns, within a page.
constexpr uint32_t kDistances = 32;
constexpr size_t kBetweenDistances = 4096 / kDistances;
std::atomic<uint32_t> stacks_offered{0};

size_t next_distance() { return stacks_offered.fetch_add(1, std::memory_order_relaxed) % kDistances * kBetweenDistances; }

// Sanitizers take the stack for the pthread's alone.
void offer_stack(TlsBlock* block, char* here) {
  auto* lowest = static_cast<char*>(os::started_stack_end(memory::stack_size()));
  auto top = reinterpret_cast<uintptr_t>(here - kRoomForSignals - next_distance()) & ~uintptr_t{63};
  auto end = reinterpret_cast<uintptr_t>(lowest);
  if (sanitized || lowest == nullptr || top < end + kLeastStack) return;
  block->top = reinterpret_cast<void*>(top);
  block->stack.lowest = lowest;
  block->stack.bytes = top - end;
  block->stack.middle = end + block->stack.bytes / 2;
  block->stack.room = top - block->stack.middle;
  memory::list_stack(&block->stack);
}

// Without the race detector: it goes by the block in force, and would take the look for one of whoever has the block.
__attribute__((noinline, no_sanitize("thread"))) bool is_lent(const TlsBlock* block) {
  return block->state.load(std::memory_order_acquire) != kEnding;  // pairs with give_tls_block
}

TULLE_NOINLINE void lend(TlsBlock* block) {
  offer_stack(block, static_cast<char*>(__builtin_frame_address(0)));
  // Release: pairs with wait_for_tls_block's loads.
  if (block->state.exchange(kParked, std::memory_order_acq_rel) == kAwaited) os::futex_wake(block->state, 1);
  while (is_lent(block)) os::futex_wait(block->state, kParked);
  if (race_detector) (void)block->state.load(std::memory_order_acquire);  // this OS thread has it again
  port::forget_os_thread();  // those that ran under the block
  if (block->top != nullptr) memory::unlist_stack(&block->stack);
}

void* park(void* argument) {
  auto* block = static_cast<TlsBlock*>(argument);
  block->base = arch::tls_base();
  block->parked_id = os::kernel_thread_id();
  os::name_thread("tulle TLS block");
  arch::set_lent_pointer(block);
  os::give_up_restartable_sequences();
  happens_before(block);  // what the C library initialised
  void* room = __builtin_alloca(kRoomForLastWords);
  asm volatile("" : : "r"(room));
  lend(block);
  happens_after(block);
  arch::set_lent_pointer(nullptr);
  free(block);
  // Destructors of thread_local objects run now, as on a pthread that never entered the runtime.
  arch::set_current_pointer(nullptr);
  return nullptr;
}

// Of the calling OS thread; 0: its own is in force, for it is the pthread of a lent block itself, or sleeps while
// another one acts for it.
uintptr_t own_block_of_carrier() {
  TlsBlock* block = lent_block(arch::tls_base());
  int self = os::kernel_thread_id();
  if (block != nullptr && block->parked_id == self) return 0;
  if (int carrier = port::kernel_id(); carrier != 0 && carrier != self) return 0;
  // Relaxed: its own store.
  return port::own_block(block != nullptr ? block->carrier.load(std::memory_order_relaxed) : 0);
}

}  // namespace

TlsBlock* begin_tls_block() {
  void* memory = malloc(sizeof(TlsBlock));
  if (memory == nullptr) return nullptr;
  auto* block = new (memory) TlsBlock;
  block->start = {park, block};
  if (os::start_thread(&block->start, os::Signals::blocked, memory::stack_size()) == 0 ||
      os::start_thread(&block->start, os::Signals::blocked, os::kSmallStack) == 0)
    return block;
  free(memory);
  return nullptr;
}

void wait_for_tls_block(TlsBlock* block) {
  // Acquire: pairs with lend's exchange.
  for (uint32_t seen = kStarting; seen < kParked; seen = block->state.load(std::memory_order_acquire)) {
    uint32_t starting = kStarting;
    if (block->state.compare_exchange_strong(starting, kAwaited, std::memory_order_acquire) || starting == kAwaited)
      os::futex_wait(block->state, kAwaited);
  }
  happens_after(block);
  serve_credential_changes();
}

void serve_credential_changes() { os::serve_credential_changes(own_block_of_carrier); }

TlsBlock* take_tls_block() {
  TlsBlock* block = begin_tls_block();
  if (block != nullptr) wait_for_tls_block(block);
  return block;
}

void give_tls_block(TlsBlock* block) {
  happens_before(block);
  block->state.store(kEnding, std::memory_order_release);  // pairs with park's load
  os::futex_wake(block->state, 1);
}

}  // namespace tulle::ult
