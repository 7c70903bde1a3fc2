// SPDX-License-Identifier: Apache-2.0
// TLS blocks to lend: each is the block of a pthread that does nothing but sleep, with every
// signal blocked. glibc keeps the thread record, errno, the allocator's cache and pthread keys in
// it, all made and destroyed by glibc itself. Any OS thread may take and give.
#pragma once

#include <atomic>
#include <cstdint>

namespace tulle::ult {

struct TlsBlock {
  uintptr_t base = 0;
  std::atomic<uint32_t> state{0};
};

// A fresh block, or null when no OS thread can be made. Takes some 25 µs.
TlsBlock* take_tls_block();

// Ends the block's pthread: destructors of thread_local objects run there. The block must be in
// force nowhere.
void give_tls_block(TlsBlock* block);

}  // namespace tulle::ult
