// SPDX-License-Identifier: Apache-2.0
#include "ult/tls_block.h"

#include <cstdlib>
#include <new>

#include "arch/cpu.h"
#include "arch/current.h"
#include "base/cacheline.h"
#include "os/futex.h"
#include "os/thread.h"
#include "ult/sanitizer.h"

namespace tulle::ult {

namespace {

enum State : uint32_t { kStarting, kParked, kEnding };

// A caller of pthread_exit under a block unwinds to the frames in which the block's OS thread began,
// and says from there that this ends the process: what that OS thread does meanwhile lies far below.
constexpr size_t kRoomForLastWords = 32 * 1024;

TULLE_NOINLINE void lend(TlsBlock* block) {
  block->state.store(kParked, std::memory_order_release);  // pairs with take_tls_block's load
  os::futex_wake(block->state, 1);
  while (block->state.load(std::memory_order_acquire) != kEnding)  // pairs with give_tls_block
    os::futex_wait(block->state, kParked);
}

void* park(void* argument) {
  auto* block = static_cast<TlsBlock*>(argument);
  block->base = arch::tls_base();
  happens_before(block);  // what the C library initialised
  void* room = __builtin_alloca(kRoomForLastWords);
  asm volatile("" : : "r"(room));
  lend(block);
  happens_after(block);
  free(block);
  // Destructors of thread_local objects run now, as on a pthread that never entered the runtime.
  arch::set_current_pointer(nullptr);
  return nullptr;
}

}  // namespace

TlsBlock* take_tls_block() {
  void* memory = malloc(sizeof(TlsBlock));
  if (memory == nullptr) return nullptr;
  auto* block = new (memory) TlsBlock;
  if (os::start_thread(park, block, os::Signals::blocked) != 0) {
    free(memory);
    return nullptr;
  }
  while (block->state.load(std::memory_order_acquire) == kStarting)
    os::futex_wait(block->state, kStarting);
  happens_after(block);
  return block;
}

void give_tls_block(TlsBlock* block) {
  happens_before(block);
  block->state.store(kEnding, std::memory_order_release);  // pairs with park's load
  os::futex_wake(block->state, 1);
}

}  // namespace tulle::ult
