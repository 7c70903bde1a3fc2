// SPDX-License-Identifier: Apache-2.0
// TLS blocks to lend: each is the block of a pthread that does nothing but sleep, with every
// signal blocked. glibc keeps the thread record, errno, the allocator's cache and pthread keys in
// it, all made and destroyed by glibc itself. Any OS thread may take and give.
#pragma once

#include <atomic>
#include <cstdint>

#include "arch/current.h"
#include "memory/stack_pool.h"
#include "os/thread.h"

namespace tulle::ult {

// What the kernel keeps for an OS thread and belongs to whoever carries a block, from the time on that somebody
// asks for it (sched/signals.h). Sets are the kernel's: bit n - 1 is signal n.
struct ThreadSignals {
  std::atomic<uint64_t> mask{0};        // W: the thread itself
  std::atomic<bool> has_mask{false};    // the same; false: as threads begin
  std::atomic<uint64_t> pending{0};     // sent to it, for when it runs and does not block them; W: anybody
  std::atomic<uint64_t> awaited{0};     // W: the thread itself
  std::atomic<bool> has_sent{false};    // to others, since it was last suspended; W: the thread itself
  std::atomic<bool> visitor_ends{false};  // its last one (sched/visit.h) has handled all; W: that one
};

struct TlsBlock {
  os::ThreadStart start;
  uintptr_t base = 0;
  std::atomic<uint32_t> state{0};
  int parked_id = 0;  // the kernel's id of the pthread
  // Below the pthread's own frames on its stack, which is as large as one of the pool: who runs under the
  // block runs there, where the C library says that the thread's stack is. `top` null: it is too small.
  memory::Stack stack{};
  void* top = nullptr;
  // Own block of the OS thread on which it is in force, or was last. W: that OS thread; R: its signal handlers.
  std::atomic<uintptr_t> carrier{0};
  ThreadSignals signals;
};

// A fresh block, or null when no OS thread can be made: nobody may use it but by wait_for_tls_block(), before
// which others may be taken, for their OS threads begin meanwhile.
TlsBlock* begin_tls_block();
void wait_for_tls_block(TlsBlock* block);

// Both at once.
TlsBlock* take_tls_block();

// Blocks of other OS threads may be in force from now on (os/setxid.h). Lent ones see to it.
void serve_credential_changes();

// Ends the block's pthread: destructors of thread_local objects run there. The block must be in
// force nowhere.
void give_tls_block(TlsBlock* block);

// The record of a block that is to be lent; null: `base` is an OS thread's own.
inline TlsBlock* lent_block(uintptr_t base) { return static_cast<TlsBlock*>(arch::lent_pointer(base)); }

}  // namespace tulle::ult
